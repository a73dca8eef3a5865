/**
 * nginx as docs/running.md says how to set it: connections to nodes are kept, and bodies are passed on as
 * they come.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodePair } from '../node-pair.ts'
import { freePort } from '../ports.ts'
import { apiHost, makeCertificate, type Started, sitesHost, spawnProxy } from './proxy.ts'

const nginxPath = '/usr/sbin/nginx'

/** Starts it in front of both nodes. */
export async function startNginx({ addresses, ports }: NodePair, directory: string): Promise<Started> {
  const port = await freePort()
  const { key, certificate } = await makeCertificate(directory)
  const upstream = (name: string, each: string) => `upstream ${name} {
    ${addresses.map((address) => `server ${address}:${each} max_fails=0;`).join(' ')}
    keepalive 16;
    keepalive_timeout 3s;
  }`
  const place = (name: string, host: string) => `server {
    listen 127.0.0.1:${port} ssl http2;
    server_name ${host};
    location / { proxy_pass http://${name}; }
  }`
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  )
  const file = join(directory, 'nginx.conf')
  await writeFile(
    file,
    `daemon off;
master_process off;
pid ${join(directory, 'pid')};
error_log ${join(directory, 'error.log')};
events {}
http {
  access_log off;
  ${paths.join(' ')}
  ssl_certificate ${certificate};
  ssl_certificate_key ${key};
  client_max_body_size 0;
  proxy_http_version 1.1;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_connect_timeout 2s;
  proxy_read_timeout 75s;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto https;
  ${upstream('api', ports.api)}
  ${upstream('sites', ports.edge)}
  ${place('api', apiHost)}
  ${place('sites', `*.${sitesHost}`)}
}
`,
  )
  const child = spawnProxy(nginxPath, ['-c', file, '-p', directory, '-e', join(directory, 'error.log')], {})
  return { process: child, port: Number(port), ca: certificate }
}
