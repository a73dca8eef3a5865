/** Requests as bytes on a bare socket: for what no HTTP client would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Door } from '../../support/tls.ts'

export type RawAnswer = {
  status: number
  headers: Map<string, string>
  body: string
}

export type RawConnection = {
  socket: Socket
  send(bytes: string | Uint8Array): void
  /** The next response; rejects when the connection ends before it is complete. */
  answer(): Promise<RawAnswer>
  /** Resolves when the server has closed the connection, to the responses that were not read yet. */
  ended(): Promise<RawAnswer[]>
}

const headEnd = '\r\n\r\n'

/** A connection to the API; end it with `socket.destroy()`. */
export async function connectRaw({ apiUrl, ca }: Door): Promise<RawConnection> {
  const { hostname, port, protocol } = new URL(apiUrl)
  const plain = connect({ host: hostname, port: Number(port), noDelay: true })
  const options = { socket: plain, servername: hostname, ALPNProtocols: ['http/1.1'], ...(ca && { ca }) }
  const socket = protocol === 'https:' ? connectTls(options) : plain
  let received = Buffer.alloc(0)
  let over = false
  let notify = () => {}
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    notify()
  })
  // The server may reset the connection after the response; what had arrived by then counts.
  socket.on('error', () => {})
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      over = true
      notify()
    })
  }
  await once(socket, socket === plain ? 'connect' : 'secureConnect')

  function take(): RawAnswer | undefined {
    const end = received.indexOf(headEnd)
    if (end === -1) return undefined
    const [line = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Map(lines.map((each) => parseHeader(each)))
    const content = takeContent(received.subarray(end + headEnd.length), headers)
    if (!content) return undefined
    received = content.rest
    return { status: Number(line.split(' ')[1]), headers, body: content.body }
  }

  async function answer(): Promise<RawAnswer> {
    for (;;) {
      const found = take()
      if (found) return found
      if (over) throw new Error(`The connection ended after ${JSON.stringify(received.toString())}.`)
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    }
  }

  async function ended(): Promise<RawAnswer[]> {
    const answers: RawAnswer[] = []
    while (!over) {
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    }
    for (let found = take(); found; found = take()) answers.push(found)
    return answers
  }

  return { socket, send: (bytes) => void socket.write(bytes), answer, ended }
}

/** Sends `bytes` on a connection of its own, and resolves to the first response. */
export async function exchange(door: Door, bytes: string | Uint8Array): Promise<RawAnswer> {
  const [answer] = await exchangeAll(door, bytes, 1)
  if (!answer) throw new Error('There is no answer.')
  return answer
}

/** Sends `bytes` on a connection of its own, and resolves to the first `count` responses. */
export async function exchangeAll(
  door: Door,
  bytes: string | Uint8Array,
  count: number,
): Promise<RawAnswer[]> {
  const connection = await connectRaw(door)
  try {
    connection.send(bytes)
    const answers: RawAnswer[] = []
    while (answers.length < count) answers.push(await connection.answer())
    return answers
  } finally {
    connection.socket.destroy()
  }
}

/** A request's head: a line, `Host`, and these header lines. */
export function head(line: string, ...headers: string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}${headEnd}`
}

/** The content at the start of `bytes`, once all of it has arrived, and what follows it. */
function takeContent(
  bytes: Buffer,
  headers: Map<string, string>,
): { body: string; rest: Buffer<ArrayBuffer> } | undefined {
  const chunked = headers.get('transfer-encoding') === 'chunked'
  let size = Number(headers.get('content-length') ?? 0)
  let start = 0
  let body = ''
  do {
    if (chunked) {
      const lineEnd = bytes.indexOf('\r\n', start)
      if (lineEnd === -1) return undefined
      size = Number.parseInt(bytes.subarray(start, lineEnd).toString(), 16)
      start = lineEnd + 2
    }
    const end = start + size + (chunked ? 2 : 0)
    if (bytes.length < end) return undefined
    body += bytes.subarray(start, start + size).toString()
    start = end
  } while (chunked && size > 0)
  return { body, rest: Buffer.from(bytes.subarray(start)) }
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
