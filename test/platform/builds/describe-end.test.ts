import { expect, it } from 'vitest'
import { describeEnd } from '../../../src/platform/builds/describe-end.ts'

const caps = { timeoutS: 10, memoryBytes: 64 * 1024 * 1024, diskBytes: 1024 * 1024 }

it.each([
  [{ how: 'exited', code: 0, signal: undefined } as const, undefined],
  [{ how: 'exited', code: 3, signal: undefined } as const, 'build_failed'],
  [{ how: 'memory_limit' } as const, 'build_out_of_memory'],
  [{ how: 'disk_limit' } as const, 'build_failed'],
  [{ how: 'timeout' } as const, 'build_timeout'],
])('an end by %j has the reason %s', (ended, reason) => {
  expect(describeEnd(ended, '`make`', caps)?.reason).toBe(reason)
})

it('names the limit that was reached', () => {
  expect(describeEnd({ how: 'memory_limit' }, '`make`', caps)?.message).toContain('64 MiB of memory')
})
