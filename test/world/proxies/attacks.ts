/** What a client can send to make a proxy see an exchange with a node fail. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { apiHost, type RunningProxy, sitesHost } from '../../support/proxies/proxy.ts'

/** Bytes for the named host, after which the client half-closes, resets, or waits for an answer. */
type Attack = { bytes: (host: string) => string; ending: 'end' | 'reset' | 'wait' }

const head = (line: string, host: string, ...fields: string[]) =>
  [`${line} HTTP/1.1`, `Host: ${host}`, ...fields, '', ''].join('\r\n')

const chunked = 'Transfer-Encoding: chunked'

/** By name. */
export const attacks: Record<string, Attack> = {
  connect: { bytes: () => head('CONNECT x:443', 'x:443'), ending: 'wait' },
  'connect to the name': { bytes: (host) => head(`CONNECT ${host}:443`, `${host}:443`), ending: 'wait' },
  'a malformed chunk': {
    bytes: (host) => `${head('POST /v1/deployments', host, chunked)}0x5\r\nhello\r\n`,
    ending: 'wait',
  },
  'a malformed second chunk': {
    bytes: (host) => `${head('PUT /', host, chunked)}1\r\na\r\nzz\r\n`,
    ending: 'wait',
  },
  'a body that ends early': {
    bytes: (host) => `${head('POST /v1/deployments', host, 'Content-Length: 100')}{`,
    ending: 'end',
  },
  'a body that is reset': {
    bytes: (host) => `${head('POST /', host, 'Content-Length: 100000')}${'x'.repeat(10_000)}`,
    ending: 'reset',
  },
  'a request that is reset': { bytes: (host) => head('GET /v1/openapi.json', host), ending: 'reset' },
  'a refused upload': {
    bytes: (host) =>
      `${head(`PUT /uploads/${'a'.repeat(64)}`, host, 'Content-Length: 300000')}${'x'.repeat(300_000)}`,
    ending: 'wait',
  },
  'a large header': { bytes: (host) => head('GET /', host, `X: ${'x'.repeat(15_900)}`), ending: 'wait' },
  'a larger header': { bytes: (host) => head('GET /', host, `X: ${'x'.repeat(60_000)}`), ending: 'wait' },
  'many headers': {
    bytes: (host) => head('GET /', host, ...Array.from({ length: 95 }, (_, at) => `x${at}: y`)),
    ending: 'wait',
  },
  'more headers': {
    bytes: (host) => head('GET /', host, ...Array.from({ length: 300 }, (_, at) => `x${at}: y`)),
    ending: 'wait',
  },
  'malformed HTTP': { bytes: () => 'GET\0/ HTTP/9.9\r\n\r\n', ending: 'wait' },
  'an odd target': { bytes: (host) => head('GET /%zz%00%ff?%', host), ending: 'wait' },
  'an odd method': { bytes: (host) => head('NONSENSE /', host), ending: 'wait' },
  'a promise of a body': {
    bytes: (host) => head('POST /v1/deployments', host, 'Content-Length: 9', 'Expect: 100-continue'),
    ending: 'reset',
  },
  'an odd expectation': { bytes: (host) => head('GET /', host, 'Expect: 200-ok'), ending: 'wait' },
  'an upgrade': {
    bytes: (host) => head('GET /', host, 'Connection: Upgrade', 'Upgrade: websocket'),
    ending: 'wait',
  },
  'an upgrade to HTTP/2': {
    bytes: (host) =>
      head('GET /', host, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    ending: 'wait',
  },
  'chunks in HTTP/1.0': {
    bytes: (host) =>
      `${head('POST /', host, chunked, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0')}0\r\n\r\n`,
    ending: 'wait',
  },
}

/** How long an attacker waits for an answer, which not all get. */
const waitMs = 150

/**
 * Carries out all of them for `ms`, at the API and at a site, each by attackers that do it again and again.
 */
export async function attack(proxy: RunningProxy, chosen: Attack[], ms: number): Promise<void> {
  const untilMs = performance.now() + ms
  const hosts = [apiHost, `web.${sitesHost}`]
  await Promise.all(
    chosen.flatMap((each) =>
      hosts.map(async (host) => {
        while (performance.now() < untilMs) await carryOut(proxy, each, host)
      }),
    ),
  )
}

async function carryOut(
  { port, ca }: RunningProxy,
  { bytes, ending }: Attack,
  servername: string,
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername, ALPNProtocols: ['http/1.1'] })
  // Some connections are reset, as they should be.
  socket.on('error', () => {}).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes(servername))
  if (ending === 'end') socket.end()
  if (ending === 'reset') await sleep(10)
  else await Promise.race([closed, sleep(waitMs)])
  socket.destroy()
  await closed
}
