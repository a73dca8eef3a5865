/** Handshakes for names that nobody has here: what they cost, and what their clients learn. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newCertificate } from '../../support/certificate.ts'
import { claim } from '../../support/claims.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam } from '../../support/team.ts'

const burst = 5
const madeUp = () => `x${randomBytes(8).toString('hex')}.example`

let node: TestNode
let port: number
/** Domains of a team that the operator's certificate covers. */
const own = { first: `a-${unique('tls')}.test`, second: `b-${unique('tls')}.test` }

beforeAll(async () => {
  port = Number(await freePort())
  const { cert, key } = await newCertificate('*.test')
  const place = join(inject('directory'), unique('unknown'))
  await writeFile(`${place}.crt`, cert)
  await writeFile(`${place}.key`, key)
  node = await startTestNode({
    SVC_EDGE_TLS_PORT: String(port),
    SVC_EDGE_TLS_CERT: `${place}.crt`,
    SVC_EDGE_TLS_KEY: `${place}.key`,
    SVC_RATE_EDGE: `1/${burst}`,
    SVC_TRUSTED_PROXIES: '127.0.0.2',
    SVC_PROXY_PROTOCOL: '1',
  })
  const team = await newTeam(node)
  const redirect = { to: 'elsewhere.test', status: 308 }
  for (const name of Object.values(own)) await claim(node, team, name, { proven: true, redirect })
})

afterAll(() => node.stop())

/** How a handshake for `name` ends. */
async function shake(name: string, localAddress: string, through?: Socket): Promise<string> {
  const plain = through ?? connectPlain({ host: '127.0.0.1', port, localAddress })
  const socket = connect({ socket: plain, servername: name, rejectUnauthorized: false })
  return new Promise((resolve) => {
    socket.once('secureConnect', () => resolve('done'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve('closed'))
  }).then((ended) => {
    socket.destroy()
    return String(ended)
  })
}

async function lookedUp(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${node.internalPort}/metrics`)).text()
  return Number(/svc_cache_misses_total\{cache="sites"\} (\d+)/.exec(text)?.[1])
}

const refused = 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME'

/**
 * More handshakes than the bucket has tokens: how many were refused with the alert, and how many could have
 * been.
 */
async function exhaust(handshake: () => Promise<string>) {
  const startMs = performance.now()
  const ends = await Promise.all(Array.from({ length: burst * 8 }, handshake))
  const most = burst + Math.ceil((performance.now() - startMs) / 1_000)
  expect(ends).not.toContain('done')
  return { alerted: ends.filter((end) => end === refused).length, most }
}

describe('a name that nobody has', () => {
  it('is refused with an alert, and looked up as often as the bucket of its address has tokens', async () => {
    const from = '127.3.1.1'
    expect(await shake(own.first, from)).toBe('done')
    const before = await lookedUp()
    const { alerted, most } = await exhaust(() => shake(madeUp(), from))
    expect(alerted).toBeGreaterThanOrEqual(burst)
    expect(alerted).toBeLessThanOrEqual(most)
    expect((await lookedUp()) - before).toBe(alerted)
    // The name that is known, and other addresses, are served as before.
    expect(await shake(own.first, from)).toBe('done')
    expect(await shake(own.second, '127.3.1.2')).toBe('done')
  })

  it('draws from the bucket of the client that a proxy names', async () => {
    const through = async (client: string) => {
      const socket = connectPlain({ host: '127.0.0.1', port, localAddress: '127.0.0.2' })
      await once(socket, 'connect')
      socket.write(`PROXY TCP4 ${client} 192.0.2.1 1 443\r\n`)
      return shake(madeUp(), '', socket)
    }
    const { alerted, most } = await exhaust(() => through('192.0.2.7'))
    expect(alerted).toBeLessThanOrEqual(most)
    expect(await through('192.0.2.8')).toBe(refused)
  })

  it('draws from the same bucket as requests over HTTP', async () => {
    const from = '127.3.1.3'
    await exhaust(() => shake(madeUp(), from))
    const visit = async () => {
      const at = { host: '127.0.0.1', port: Number(new URL(node.sitesUrl).port), localAddress: from }
      const plain = connectPlain(at)
      plain.write(`GET / HTTP/1.1\r\nHost: ${madeUp()}\r\nConnection: close\r\n\r\n`)
      return (await buffer(plain)).toString('latin1', 9, 12)
    }
    expect(await Promise.all(Array.from({ length: 3 }, visit))).toContain('429')
  })

  it('is refused with a record that every version of TLS reads', async () => {
    const plain = connectPlain({ host: '127.0.0.1', port, localAddress: '127.3.1.4' })
    const bytes = buffer(plain)
    // What a client says first, as another connection sends it.
    const hello = new Promise<Buffer>((resolve) => {
      const write = (chunk: Buffer) => resolve(chunk)
      connect({ socket: new Duplex({ read() {}, write }), servername: madeUp() })
    })
    plain.write(await hello)
    expect((await bytes).toString('hex')).toBe('15030300020270')
  })
})
