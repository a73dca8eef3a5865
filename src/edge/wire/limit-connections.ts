/** Bounds how many connections one client may have open. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressBucket } from '../../limits/address.ts'

type Options = {
  /** 0: as many as it likes. */
  maxPerAddress: number
  /** Whether connections from an address are those of many clients. */
  isTrusted: (address: string) => boolean
}

/** Closes connections to `server` of a client that has `maxPerAddress` open already; of IPv6 a /64 is one client. */
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
