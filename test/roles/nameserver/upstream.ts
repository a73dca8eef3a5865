/** A resolver with configurable answers. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'

export type Upstream = {
  /** As in `SVC_RESOLVERS`. */
  address: string
  /** Addresses by `name type`; other names don't exist. */
  known: Map<string, { addresses: string[]; ttl: number }>
  /** Whether it fails for every query. */
  isBroken: boolean
  queries: string[]
  close(): void
}

export async function startUpstream(): Promise<Upstream> {
  const socket = createSocket('udp4')
  const upstream: Upstream = {
    address: '',
    known: new Map(),
    isBroken: false,
    queries: [],
    close: () => socket.close(),
  }
  socket.on('message', (packet, { port, address }) => {
    const { id, questions = [] } = decode(packet)
    const [question] = questions
    if (!question) return
    const key = `${question.name.toLowerCase()} ${question.type}`
    upstream.queries.push(key)
    const found = upstream.known.get(key)
    const type: 'A' | 'AAAA' = question.type === 'AAAA' ? 'AAAA' : 'A'
    const answers = (found?.addresses ?? []).map((data) => ({
      name: question.name,
      type,
      ttl: found?.ttl ?? 0,
      data,
    }))
    const rcode = upstream.isBroken ? 2 : found ? 0 : 3
    // Recursion desired and available.
    const flags = 0x0180 | rcode
    socket.send(
      encode({ type: 'response', ...(id !== undefined && { id }), flags, questions, answers }),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  upstream.address = `127.0.0.1:${socket.address().port}`
  return upstream
}
