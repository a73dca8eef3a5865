import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { limitingCommand } from '../../../src/platform/sandbox/limits.ts'

const limits = { memoryBytes: 1_000, processes: 10, openFiles: 4_096 }
const dataLimit = (reservedBytes: number, perProcess: boolean) =>
  limitingCommand({ ...limits, reservedBytes }, { perUser: true, perProcess }).filter((option) =>
    option.startsWith('--data'),
  )

it('without a control group, a process may have that much memory as data', () => {
  expect(dataLimit(0, true)).toEqual(['--data=1000'])
  expect(dataLimit(0, false)).toEqual([])
})

it('what threads of Node reserve counts beside that: of the first one, and of a worker for each core', () => {
  expect(dataLimit(500, true)).toEqual([`--data=${1_000 + 500 * (1 + availableParallelism())}`])
})
