/** Records each statement that a node sends to PostgreSQL, as a proxy between the two. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** `params` are as text; `cause` is the recorder's `cause` when the statement was first sent. */
export type Statement = { text: string; params: (string | null)[]; cause: string }

export type Recorder = {
  /** The address of the database through the recorder. */
  url: string
  /** The cause of the statements from now on. */
  cause: string
  statements(): Statement[]
  close(): void
}

/**
 * A recorder on a port of its own in front of the database at `databaseUrl`; connections to it aren't
 * encrypted.
 */
export async function recordStatements(databaseUrl: string): Promise<Recorder> {
  const database = new URL(databaseUrl)
  const found = new Map<string, Statement>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(database.port || 5432), database.hostname)
    near.pipe(far).pipe(near)
    near.on('data', readMessages(note))
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`

  const recorder: Recorder = {
    url: url.href,
    cause: 'the start',
    statements: () => [...found.values()],
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  function note(text: string, params: (string | null)[]): void {
    const key = JSON.stringify([text, params])
    if (!found.has(key)) found.set(key, { text, params, cause: recorder.cause })
  }
  return recorder
}

/**
 * Parses a client's messages (PostgreSQL's documentation, "Message Formats"), and reports each execution of a
 * statement.
 */
function readMessages(note: (text: string, params: (string | null)[]) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false

  function read(type: string, body: Buffer): void {
    const fields = createReader(body)
    if (type === 'Q') note(fields.text(), [])
    if (type === 'P') prepared.set(fields.text(), fields.text())
    if (type === 'B') {
      fields.text()
      const text = prepared.get(fields.text()) ?? ''
      fields.skip(2 * fields.int16())
      note(
        text,
        Array.from({ length: fields.int16() }, () => fields.value()),
      )
    }
  }

  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The first message of a connection has no type.
      const start = isStarted ? 1 : 0
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      if (isStarted) read(rest.toString('latin1', 0, 1), rest.subarray(5, end))
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

function createReader(body: Buffer) {
  let at = 0
  const int16 = () => {
    at += 2
    return body.readInt16BE(at - 2)
  }
  return {
    int16,
    text(): string {
      const start = at
      at = body.indexOf(0, start) + 1
      return body.toString('utf8', start, at - 1)
    },
    value(): string | null {
      const length = body.readInt32BE(at)
      const start = at + 4
      at = start + Math.max(0, length)
      return length < 0 ? null : body.toString('utf8', start, at)
    },
    skip(bytes: number): void {
      at += bytes
    },
  }
}
