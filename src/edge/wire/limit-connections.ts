/** Limits the open connections per client. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressBucket } from '../../limits/address.ts'

type Options = {
  /** 0: no limit. */
  maxPerAddress: number
  /** Whether an address has many clients, like a proxy. */
  isTrusted: (address: string) => boolean
}

/** Closes new connections of a client that has `maxPerAddress` open; an IPv6 /64 is one client. */
export function limitConnections(server: Server, { maxPerAddress, isTrusted }: Options): void {
  if (maxPerAddress === 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return
    const client = addressBucket(remoteAddress)
    const count = open.get(client) ?? 0
    if (count >= maxPerAddress) {
      socket.destroy()
      return
    }
    open.set(client, count + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left === 0) open.delete(client)
      else open.set(client, left)
    })
  })
}
