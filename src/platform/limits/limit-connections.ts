/** Limits the open connections per client. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Logger } from '../../lib/log/logger.ts'
import type { ClientOf } from './client-of.ts'
import { createCutLog } from './cut-log.ts'
import type { Slots } from './slots.ts'

/** The ends of connections: a client may have as many connections to each. */
type Target = 'sites' | 'api'

type Options = { target: Target; clientOf: ClientOf; log: Logger }

/** Returns a listener that closes new connections of a client without a free slot. */
export function limitConnections(slots: Slots, { target, clientOf, log }: Options): (socket: Socket) => void {
  const countCut = createCutLog(log, target)
  return (socket) => {
    const client = clientOf(socket)
    // One of TLS was counted when it was accepted.
    if (client === undefined || socket instanceof TLSSocket) return
    const slot = `${target} ${client}`
    const settle = (isTaken: boolean) => {
      const giveBack = () => slots.giveBack(slot)
      if (!isTaken) {
        countCut(client)
        socket.destroy()
      } else if (socket.destroyed) giveBack()
      else socket.once('close', giveBack)
    }
    const taken = slots.take(slot)
    if (typeof taken === 'boolean') settle(taken)
    else taken.then(settle)
  }
}
