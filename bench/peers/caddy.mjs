/** Caddy on one core, without its administration and certificates. */
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCommand, serverCores, start } from '../children.mjs'
import { freePort, untilAccepts } from '../free-port.mjs'

/** Serves the files in `root`; undefined where Caddy isn't installed. */
export function startCaddy(directory, root) {
  return startWith(directory, `root * ${root}\n  file_server`)
}

/** Passes requests on to the server on a Unix socket; undefined where Caddy isn't installed. */
export function startCaddyBefore(directory, socket) {
  return startWith(directory, `reverse_proxy unix/${socket}`)
}

async function startWith(directory, lines) {
  if (!hasCommand('caddy')) return undefined
  const port = await freePort()
  const own = join(directory, 'caddy')
  mkdirSync(own)
  const config = join(own, 'Caddyfile')
  writeFileSync(config, configure(port, lines))
  const child = start(serverCores, ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'], {
    env: { HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own, GOMAXPROCS: '1' },
    log: openSync(join(own, 'log'), 'a'),
  })
  await untilAccepts(port, 'Caddy')
  return { child, port }
}

const configure = (port, lines) => `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  ${lines}
}
`
