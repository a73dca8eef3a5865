import { expect, it } from 'vitest'
import { inBatches } from '../../../src/platform/observability/in-batches.ts'
import type { ServedResponse } from '../../../src/platform/observability/response-observer.ts'
import { eventually } from '../../support/eventually.ts'

const request = () => ({ host: 'docs', method: 'GET', path: '/', address: '198.51.100.7' })

/** The responses reported so far, each by its number. */
function newBatches() {
  const reported: number[] = []
  const batches = inBatches(({ bytes }) => reported.push(bytes))
  const add = (bytes: number) => batches.observe(answerOf(bytes), request)
  return { reported, add, flush: batches.flush }
}

function answerOf(bytes: number): ServedResponse {
  const owner = { teamId: 'team_1', projectId: 'prj_1', deploymentId: null }
  return { ...owner, status: 200, bytes, durationMs: 1, cache: 'none', endedMs: 1 }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

it('many responses are reported at once, in order', () => {
  const { reported, add } = newBatches()
  for (const each of numbers(63)) add(each)
  expect(reported).toEqual([])
  add(63)
  expect(reported).toEqual(numbers(64))
})

it('few responses are reported within a moment, repeatedly', async () => {
  const { reported, add } = newBatches()
  for (const each of numbers(3)) {
    add(each)
    await eventually(() => expect(reported).toEqual(numbers(each + 1)), { limitMs: 500 })
  }
})

it('waiting responses are reported once on request', async () => {
  const { reported, add, flush } = newBatches()
  add(0)
  flush()
  expect(reported).toEqual([0])
  add(1)
  await eventually(() => expect(reported).toEqual([0, 1]), { limitMs: 500 })
})

it('a request’s details are only computed where they are needed', () => {
  const paths: string[] = []
  const { observe, flush } = inBatches((_, request) => paths.push(request().path))
  observe(answerOf(1), request)
  flush()
  expect(paths).toEqual(['/'])
})
