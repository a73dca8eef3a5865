/**
 * The forwarder in a sandbox: programs there know only proxies at TCP ports, the registry proxy has a Unix
 * socket.
 */

import { quote } from '../shell-quote.ts'

/** The path of the proxy's socket in a sandbox. */
export const proxyInside = '/build/registries'

/** Its port is printed once it listens. */
const script = `
const { connect, createServer } = require('node:net')
const { pipeline } = require('node:stream')
createServer({ allowHalfOpen: true }, (inner) => {
  pipeline(inner, connect({ path: '${proxyInside}', allowHalfOpen: true }), inner, () => {})
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

/** Proxies as programs read them; Yarn, from 2 on, reads its own alone. */
const variables = [
  ...['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'],
  ...['YARN_HTTPS_PROXY', 'YARN_HTTP_PROXY'],
]
const direct = 'localhost,127.0.0.1,::1'

/**
 * Lines of a shell script that start the forwarder with the Node on `path`, and set the proxy for what
 * follows. They end the script with a message if it can't start.
 */
export function startForwarder(path: string): string[] {
  const fifo = '/tmp/.registries'
  return [
    `mkfifo ${fifo} || exit`,
    `PATH=${quote(path)} node --max-old-space-size=64 -e ${quote(script)} >${fifo} 2>&1 &`,
    `read -r port <${fifo}; rm ${fifo}`,
    "case $port in ''|*[!0-9]*)",
    '  echo "The way to the registries could not be opened: $port" >&2; exit 1;; esac',
    ...variables.map((name) => `export ${name}="http://127.0.0.1:$port"`),
    ...['NO_PROXY', 'no_proxy'].map((name) => `export ${name}=${direct}`),
    'export NODE_USE_ENV_PROXY=1',
    'unset port',
  ]
}
