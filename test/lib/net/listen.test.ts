/** Stopping a server while connections wait to be accepted. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { listen } from '../../../src/lib/net/listen.ts'

it('a stop answers every connection that the system has taken by then', async () => {
  const server = createServer((_request, response) => response.end('served'))
  const { port, close } = await listen(server, { port: 0, host: '127.0.0.1', setting: 'SVC_PORT' })
  // The event loop doesn't turn between these and the stop: none of them is accepted before.
  const clients = Array.from({ length: 40 }, () => {
    const client = connect(port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return client
  })
  const [responses] = await Promise.all([Promise.all(clients.map(text)), close(2_000)])
  for (const response of responses) expect(response).toContain('served')
})
