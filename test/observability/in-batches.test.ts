import { expect, it, vi } from 'vitest'
import { inBatches } from '../../src/observability/in-batches.ts'
import type { ServedResponse } from '../../src/observability/served.ts'

const asked = () => ({ host: 'docs', method: 'GET', path: '/', address: '198.51.100.7' })

/** What has been told so far, each answer by its number. */
function newBatches() {
  const told: number[] = []
  const batches = inBatches(({ bytes }) => told.push(bytes))
  const add = (bytes: number) => batches.observe(answerOf(bytes), asked)
  return { told, add, tell: batches.tell }
}

function answerOf(bytes: number): ServedResponse {
  const owner = { teamId: 'team_1', projectId: 'prj_1', deploymentId: null }
  return { ...owner, status: 200, bytes, durationMs: 1, cache: 'none', endedMs: 1 }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

it('many answers are told of at once, in their order', () => {
  const { told, add } = newBatches()
  for (const each of numbers(63)) add(each)
  expect(told).toEqual([])
  add(63)
  expect(told).toEqual(numbers(64))
})

it('few are told of within a moment, again and again', async () => {
  const { told, add } = newBatches()
  for (const each of numbers(3)) {
    add(each)
    await vi.waitFor(() => expect(told).toEqual(numbers(each + 1)), { timeout: 500 })
  }
})

it('what waits is told of when it is asked for, once', async () => {
  const { told, add, tell } = newBatches()
  add(0)
  tell()
  expect(told).toEqual([0])
  add(1)
  await vi.waitFor(() => expect(told).toEqual([0, 1]), { timeout: 500 })
})

it('what was asked is put together only where it is wanted', () => {
  const paths: string[] = []
  const { observe, tell } = inBatches((_, asked) => paths.push(asked().path))
  observe(answerOf(1), asked)
  tell()
  expect(paths).toEqual(['/'])
})
