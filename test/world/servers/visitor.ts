/** A visitor of a site with a server. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })

export type Answer = {
  status: number | undefined
  headers: IncomingHttpHeaders
  text: string
  firstMs: number
}

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** The whole answer; `firstMs` is how long its first bytes took. */
export function send(siteUrl: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { host, port } = new URL(siteUrl)
  const begunMs = performance.now()
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: sent.method ?? 'GET',
        headers: { host, ...sent.headers },
      },
      (res) => {
        let firstMs = Number.POSITIVE_INFINITY
        res.once('data', () => {
          firstMs = performance.now() - begunMs
        })
        const { statusCode: status, headers } = res
        buffer(res).then((bytes) => resolve({ status, headers, text: String(bytes), firstMs }), reject)
      },
    )
    req.on('error', reject)
    req.end(sent.body)
  })
}

/** Says `text` on a WebSocket, and resolves to the text of the first frame that comes back (RFC 6455). */
export function speak(siteUrl: string, path: string, text: string): Promise<string> {
  const { host, port } = new URL(siteUrl)
  return new Promise((resolve, reject) => {
    const req = request({
      host: '127.0.0.1',
      port,
      path,
      headers: {
        host,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
      },
    })
    req.on('error', reject)
    req.on('response', (res) => reject(new Error(`The answer was ${res.statusCode}.`)))
    req.on('upgrade', (_res, socket) => {
      // A mask of zeros leaves the text as it is.
      socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
      socket.once('data', (frame: Buffer) => {
        socket.destroy()
        resolve(frame.subarray(2).toString())
      })
    })
    req.end()
  })
}
