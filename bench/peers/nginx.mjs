/** nginx with one process, as fast as its documentation makes it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCommand, serverCores, start } from '../children.mjs'
import { freePort, untilAccepts } from '../free-port.mjs'

/** Serves the files in `root`; undefined where nginx isn't installed. */
export function startNginx(directory, root) {
  return startWith(directory, `root ${root};`)
}

/** Passes requests on to the server on a Unix socket; undefined where nginx isn't installed. */
export function startNginxBefore(directory, socket) {
  return startWith(
    directory,
    'location / {\n      proxy_pass http://server;\n      proxy_http_version 1.1;\n' +
      '      proxy_set_header Connection "";\n      proxy_set_header Host $host;\n    }',
    `upstream server {\n    server unix:${socket};\n    keepalive 64;\n  }`,
  )
}

async function startWith(directory, lines, upstream = '') {
  if (!hasCommand('nginx')) return undefined
  const port = await freePort()
  const own = join(directory, 'nginx')
  mkdirSync(own)
  const config = join(own, 'nginx.conf')
  writeFileSync(config, configure(own, port, { lines, upstream }))
  const child = start(serverCores, ['nginx', '-e', 'stderr', '-c', config])
  await untilAccepts(port, 'nginx')
  return { child, port }
}

const configure = (own, port, { lines, upstream }) => `
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
  ${upstream}
  server {
    listen 127.0.0.1:${port};
    ${lines}
  }
}
`
