/** nginx with one process, as fast as its documentation makes it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCommand, serverCores, start } from '../children.mjs'
import { freePort } from '../free-port.mjs'

/** Serves `root`; undefined where nginx isn't installed. */
export async function startNginx(directory, root) {
  if (!hasCommand('nginx')) return undefined
  const port = await freePort()
  const own = join(directory, 'nginx')
  mkdirSync(own)
  const config = join(own, 'nginx.conf')
  writeFileSync(config, configure(own, root, port))
  const child = start(serverCores, ['nginx', '-e', 'stderr', '-c', config])
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (tries === 100) throw new Error('nginx did not start.')
    await wait(50)
  }
  return { child, port }
}

const configure = (own, root, port) => `
daemon off;
master_process off;
pid ${own}/pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  types { text/css css; }
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  server {
    listen 127.0.0.1:${port};
    root ${root};
  }
}
`

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
