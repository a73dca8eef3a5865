/**
 * A DNS resolver for tests, over UDP and TCP: it answers from a table that tests change, or misbehaves as
 * they say.
 */
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet, RECURSION_DESIRED, TRUNCATED_RESPONSE } from 'dns-packet'

type Type = 'A' | 'AAAA' | 'CNAME' | 'TXT'

/** How the server misbehaves instead of answering a query. */
type Failure = 'SERVFAIL' | 'REFUSED' | 'hang' | 'garbage'

export type DnsServer = {
  /** The value for `SVC_RESOLVERS`. */
  address: string
  /** The queries so far, such as `TXT _svc.example.com`. */
  queries: string[]
  /** Sets the values of a name; a TXT is one text, or its strings. A name may have `*` as its first label. */
  set(name: string, type: Type, values: (string | string[])[]): void
  /** Sets how the server handles queries for this name, or for all; of all types, or of one. */
  failWith(failure: Failure | undefined, name?: string, type?: Type): void
  /** Called before each response, which waits for it. */
  beforeAnswer: (question: { name: string; type: string }) => Promise<void> | void
  close(): Promise<void>
}

const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const maxUdpBytes = 512

export async function startDnsServer(): Promise<DnsServer> {
  const table = new Map<string, Map<Type, (string | string[])[]>>()
  const failures = new Map<string, Failure>()
  const sockets = new Set<Socket>()
  const udp = createSocket('udp4')
  const tcp = createServer()

  const server: DnsServer = {
    address: '',
    queries: [],
    set(name, type, values) {
      const types = table.get(name) ?? new Map()
      table.set(name, types.set(type, values))
    },
    failWith(failure, name = '', type) {
      const key = `${type ?? ''} ${name}`
      if (failure) failures.set(key, failure)
      else failures.delete(key)
    },
    beforeAnswer: () => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ])
    },
  }

  async function reply(message: Buffer, maxBytes: number): Promise<Buffer | undefined> {
    const query = decode(message)
    const [question] = query.questions ?? []
    if (!question) return undefined
    const name = question.name.toLowerCase()
    server.queries.push(`${question.type} ${name}`)
    await server.beforeAnswer({ name, type: question.type })
    const keys = [`${question.type} ${name}`, ` ${name}`, `${question.type} `, ' ']
    const failure = keys.map((key) => failures.get(key)).find((each) => each !== undefined)
    if (failure === 'hang') return undefined
    if (failure === 'garbage') return Buffer.concat([message.subarray(0, 2), Buffer.alloc(40, 0xff)])
    const { rcode, answers } = failure ? { rcode: failure, answers: [] } : find(name, question.type)
    const packet = (of: Answer[], truncated: number): Packet => ({
      type: 'response',
      id: query.id ?? 0,
      // dns-packet writes the low bits of the flags as the response code.
      flags: RECURSION_DESIRED | (1 << 7) | truncated | rcodes[rcode],
      questions: [question],
      answers: of,
    })
    const whole = encode(packet(answers, 0))
    return whole.length > maxBytes ? encode(packet([], TRUNCATED_RESPONSE)) : whole
  }

  /** Follows aliases as a resolver does, and gives up on a loop. */
  function find(name: string, type: string): { rcode: keyof typeof rcodes; answers: Answer[] } {
    const answers: Answer[] = []
    for (let at = name, steps = 0; steps < 16; steps += 1) {
      const types = table.get(at) ?? table.get(at.replace(/^[^.]*/, '*'))
      if (!types) return { rcode: 'NXDOMAIN', answers }
      const own = [...types].flatMap(([each, values]) => (each === type ? toAnswers(at, each, values) : []))
      const [alias] = types.get('CNAME') ?? []
      if (own.length > 0 || typeof alias !== 'string')
        return { rcode: 'NOERROR', answers: [...answers, ...own] }
      answers.push(...toAnswers(at, 'CNAME', [alias]))
      at = alias
    }
    return { rcode: 'SERVFAIL', answers: [] }
  }

  udp.on('message', async (message, { port, address }) => {
    const answer = await reply(message, maxUdpBytes)
    if (answer) udp.send(answer, port, address)
  })
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let received = Buffer.alloc(0)
    socket.on('data', async (bytes) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const message = received.subarray(2, 2 + received.readUInt16BE())
        received = received.subarray(2 + message.length)
        const answer = await reply(message, 65_535)
        if (!answer) continue
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([length, answer]))
      }
    })
  })

  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const at = tcp.address()
  const port = at !== null && typeof at === 'object' ? at.port : 0
  await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, '127.0.0.1', resolve))
  server.address = `127.0.0.1:${port}`
  return server
}

function toAnswers(name: string, type: Type, values: (string | string[])[]): Answer[] {
  return values.map((value) => {
    if (type === 'TXT') return { name, type, ttl: 0, data: value }
    if (typeof value !== 'string') throw new Error(`A record of type ${type} has one value.`)
    return { name, type, ttl: 0, data: value }
  })
}
