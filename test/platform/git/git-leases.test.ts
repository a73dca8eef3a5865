/** How many processes of git a node has, and how much memory. */
import { expect, it } from 'vitest'
import { createGitKeepers, gitProcessesOf } from '../../../src/platform/git/git-leases.ts'

const mebibyte = 1024 * 1024

it.each([
  { memory: 64 * 1024, wanted: 8, count: 8, each: 1_024 },
  { memory: 16 * 1024, wanted: 8, count: 8, each: 512 },
  { memory: 16 * 1024, wanted: 4, count: 4, each: 1_024 },
  { memory: 4 * 1024, wanted: 8, count: 4, each: 256 },
  { memory: 768, wanted: 8, count: 2, each: 96 },
  { memory: 768, wanted: 1, count: 1, each: 192 },
])(
  'of $wanted there are $count with $each MiB each where there are $memory MiB',
  ({ memory, wanted, count, each }) => {
    const found = gitProcessesOf(wanted, memory * mebibyte)
    expect(found).toEqual({ count, bytes: each * mebibyte })
    expect(found.count * found.bytes).toBeLessThanOrEqual((memory * mebibyte) / 4)
  },
)

it.each([
  [8, 4],
  [3, 1],
  [1, 1],
])('of %i a team has %i', async (count, ofTeam) => {
  const { reading } = createGitKeepers({ count, bytes: 0 })
  let taken = 0
  for (let each = 0; each < count; each += 1)
    void reading.take(`a${each}`, 'a').then((isTaken) => {
      taken += Number(isTaken)
    })
  await new Promise(setImmediate)
  expect(taken).toBe(ofTeam)
})
