import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { parseClientHello } from '../../../src/lib/tls/client-hello.ts'

/** What a client of Node sends first. */
async function helloOf(options: {
  ALPNProtocols?: string[]
  servername?: string
  maxVersion?: 'TLSv1.2'
}): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const client = connect({ host: '127.0.0.1', port, ...options }).on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [bytes] = await once(socket, 'data')
  socket.destroy()
  client.destroy()
  server.close()
  return bytes
}

describe('a ClientHello', () => {
  it.each([
    ['acme-tls/1 alone', { ALPNProtocols: ['acme-tls/1'], servername: 'example.com' }, ['acme-tls/1']],
    [
      'several protocols',
      { ALPNProtocols: ['h2', 'http/1.1'], servername: 'example.com' },
      ['h2', 'http/1.1'],
    ],
    ['TLS 1.2', { ALPNProtocols: ['h2'], maxVersion: 'TLSv1.2' as const }, ['h2']],
    ['no protocols', { servername: 'example.com' }, []],
  ])('of %s is read', async (_, options, protocols) => {
    const bytes = await helloOf(options)
    expect(parseClientHello(bytes)).toEqual({ isWhole: true, protocols })
    for (let length = 0; length < bytes.length; length += 1)
      expect(parseClientHello(bytes.subarray(0, length)).isWhole).toBe(false)
  })

  it('that is damaged offers nothing', async () => {
    const bytes = await helloOf({ ALPNProtocols: ['h2'] })
    for (let at = 5; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes)
      damaged[at] = 0xff
      expect(parseClientHello(damaged).isWhole).toBe(true)
    }
  })

  it('is not waited for where something else comes', () => {
    expect(parseClientHello(Buffer.from('GET / HTTP/1.1'))).toEqual({ isWhole: true, protocols: [] })
  })
})
