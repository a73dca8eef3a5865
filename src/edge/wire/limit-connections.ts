/** Limits the open connections per client. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { addressBucket } from '../../limits/address.ts'
import type { Slots } from '../../limits/slots.ts'

/** Returns a listener that closes new connections of a client without a free slot; an IPv6 /64 is one client. `isTrusted` are
 * addresses that have many clients, like a proxy. */
export function limitConnections(
  slots: Slots,
  isTrusted: (address: string) => boolean,
): (socket: Socket) => void {
  return (socket) => {
    const { remoteAddress } = socket
    // One of TLS was counted when it was accepted.
    if (remoteAddress === undefined || socket instanceof TLSSocket || isTrusted(remoteAddress)) return
    const client = addressBucket(remoteAddress)
    const settle = (isTaken: boolean) => {
      const giveBack = () => slots.giveBack(client)
      if (!isTaken) socket.destroy()
      else if (socket.destroyed) giveBack()
      else socket.once('close', giveBack)
    }
    const taken = slots.take(client)
    if (typeof taken === 'boolean') settle(taken)
    else taken.then(settle)
  }
}
