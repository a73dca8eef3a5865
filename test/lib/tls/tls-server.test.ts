import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteResponses } from '../../../src/lib/net/latest-response.ts'
import { createTlsServer, type TlsServer } from '../../../src/lib/tls/tls-server.ts'
import { newCertificate } from '../../support/certificate.ts'

describe('a server of TLS', () => {
  let tls: TlsServer
  let port: number
  let requests: number

  beforeEach(async () => {
    requests = 0
    const http1 = createHttp({ headersTimeout: 60_000 }, (_, response) => {
      requests += 1
      response.end('hello')
    })
    Object.assign(http1, { httpAllowHalfOpen: true })
    noteResponses(http1)
    const certificate = await newCertificate('*.localhost')
    const http2 = { take: () => {}, end: async () => {} }
    tls = createTlsServer({ certificate, handshakeMs: 60_000, ticketKeys: undefined }, { http1, http2 })
    tls.server.listen(0, '127.0.0.1')
    await once(tls.server, 'listening')
    const address = tls.server.address()
    port = address !== null && typeof address === 'object' ? address.port : 0
  })

  afterEach(async () => {
    tls.cut()
    tls.server.close()
    await once(tls.server, 'close')
  })

  const connections = () =>
    new Promise<number>((resolve) => tls.server.getConnections((_, count) => resolve(count)))
  const options = () => ({ port, host: '127.0.0.1', servername: 'a.localhost', rejectUnauthorized: false })

  it('keeps nothing of a client that gives up in the middle of the handshake', async () => {
    const client = connectPlain(port, '127.0.0.1')
    // The beginning of a record with a ClientHello.
    client.write(Buffer.from('16030100c8010000c40303', 'hex'))
    await expect.poll(connections).toBe(1)
    client.end()
    await expect.poll(connections).toBe(0)
  })

  it('keeps nothing of a client that leaves after the handshake, without a request', async () => {
    const client = connect(options())
    await once(client, 'secureConnect')
    client.end()
    await expect.poll(connections).toBe(0)
  })

  it('responds to a client that ends its side after the request', async () => {
    const client = connect(options())
    await once(client, 'secureConnect')
    client.end('GET / HTTP/1.1\r\nHost: a.localhost\r\nConnection: close\r\n\r\n')
    let text = ''
    for await (const chunk of client.setEncoding('utf8')) text += chunk
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]+hello/)
    expect(requests).toBe(1)
  })
})
