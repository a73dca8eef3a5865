/**
 * Sockets that listen in the network of a sandbox, for this process: a Node there opens them before anything
 * else runs, and hands them over. Whatever the sandbox connects to them arrives here, without a process in
 * between that it could reach.
 */
import type { ChildProcess } from 'node:child_process'
import { Socket as DatagramSocket } from 'node:dgram'
import { Server } from 'node:net'
import { z } from 'zod'

/** A socket of TCP or UDP at an address; `::` stands for all addresses, of IPv4 as well. */
export type ListenerAddress = { protocol: 'tcp' | 'udp'; address: string; port: number }

/** The sockets that were handed over, which belong to who gets them. */
export type Listeners = {
  tcp: { port: number; server: Server }[]
  udp: { port: number; socket: DatagramSocket }[]
}

/**
 * Prints why on standard error where a socket can't be opened. A kernel without IPv6 has no address `::`.
 */
const script = `
const { createServer } = require('node:net')
const { createSocket } = require('node:dgram')
const openTcp = (address, port) => new Promise((resolve, reject) => {
  const server = createServer()
  server.once('error', reject).listen({ host: address, port }, () => resolve(server))
})
const openUdp = (address, port) => new Promise((resolve, reject) => {
  const socket = createSocket('udp4')
  socket.once('error', reject).bind(port, address, () => resolve(socket))
})
async function open({ protocol, address, port }) {
  if (protocol === 'udp') return openUdp(address, port)
  if (address !== '::') return openTcp(address, port)
  return openTcp('::', port).catch(() => openTcp('0.0.0.0', port))
}
async function hand(listener) {
  const handle = await open(listener)
  await new Promise((resolve, reject) =>
    process.send(listener, handle, (error) => (error ? reject(error) : resolve())))
  handle.close()
}
async function handAll(listeners) {
  for (const listener of listeners) await hand(listener)
  process.disconnect()
}
handAll(JSON.parse(process.argv[1])).catch((error) => {
  console.error('The way out of the sandbox could not be opened: ' + error.message)
  process.exit(1)
})
`

/** The arguments of a Node that opens the sockets and hands them over by its channel. */
export function handingArguments(listeners: readonly ListenerAddress[]): string[] {
  return ['-e', script, JSON.stringify(listeners)]
}

const handedSchema = z.object({
  protocol: z.enum(['tcp', 'udp']),
  address: z.string(),
  port: z.int(),
})

/**
 * Gathers what a child with a channel hands over. Resolves when the channel is closed, or the child has
 * ended; what a child that failed has handed over is closed, and none is left.
 */
export function receiveListeners(
  child: ChildProcess,
  wanted: readonly ListenerAddress[],
): Promise<Listeners | undefined> {
  const got: Listeners = { tcp: [], udp: [] }
  child.on('message', (message, handle) => {
    const port = handedSchema.safeParse(message).data?.port
    if (port === undefined) return
    if (handle instanceof Server) got.tcp.push({ port, server: handle })
    if (handle instanceof DatagramSocket) got.udp.push({ port, socket: handle })
  })
  return new Promise((resolve) => {
    function settle(): void {
      child.off('disconnect', settle).off('error', settle)
      const isWhole = got.tcp.length + got.udp.length === wanted.length
      if (!isWhole) closeListeners(got)
      resolve(isWhole ? got : undefined)
    }
    child.on('disconnect', settle).on('error', settle)
  })
}

/** Closes them; nothing in their sandbox can connect any more. */
function closeListeners({ tcp, udp }: Listeners): void {
  for (const { server } of tcp) server.close()
  for (const { socket } of udp) socket.close()
}
