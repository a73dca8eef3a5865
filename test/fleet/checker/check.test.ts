/** Each rule, by a good and a bad history. */
import { describe, expect, it } from 'vitest'
import type { History, Operation } from '../history/history.ts'
import type { MemoryLine } from '../history/lines.ts'
import { arrived, away, history, operation, promote, read } from './by-hand.ts'
import { check } from './check.ts'
import type { Violation } from './violation.ts'

/**
 * The violations by other rules than the one that each kind was exercised, and those of webhooks where none
 * is given.
 */
function judge(operations: Operation[], more: Partial<History> = {}): Violation[] {
  const found = check(history(operations, more)).violations
  return found.filter(({ rule }) => rule !== 'never exercised' && (rule !== 'lost webhook' || more.events))
}

const rules = (...given: Parameters<typeof judge>) => judge(...given).map(({ rule }) => rule)

const page = (value: string | null, at: [number, number], subject = 'a-one') =>
  operation('page.live', subject, { at, value, status: 200 })

describe('stale reads', () => {
  const writes = () => [promote('a-one', 'a-one@1', [0, 10]), promote('a-one', 'a-one@2', [1_000, 1_010])]

  it('a page may be a second old, and no older', () => {
    expect(rules([...writes(), page('a-one@1', [2_000, 2_005])])).toEqual([])
    expect(rules([...writes(), page('a-one@1', [2_020, 2_025])])).toEqual(['stale read'])
    expect(rules([...writes(), page('a-one@2', [2_020, 2_025])])).toEqual([])
  })

  it('a value that another reader of the API saw counts like an acknowledgement', () => {
    const [first] = writes()
    const unknown = operation('promote', 'a-one', {
      at: [500, 600],
      outcome: 'info',
      wanted: 'a-one@2',
      status: 503,
    })
    const window = { windows: [away(['database'], [0, 590])] }
    const operations = [...(first ? [first] : []), unknown, page('a-one@1', [9_000, 9_001])]
    expect(rules(operations, window)).toEqual([])
    expect(rules([...operations, read('a-one', 'a-one@2', [7_000, 7_001])], window)).toEqual(['stale read'])
  })

  it('while the database is away, a page may be as old as the outage, but not older', () => {
    const windows = [away(['database'], [1_500, 30_000])]
    expect(rules([...writes(), page('a-one@1', [20_000, 20_001])], { windows })).toEqual([])
    const older = [away(['database'], [2_500, 30_000])]
    expect(rules([...writes(), page('a-one@1', [20_000, 20_001])], { windows: older })).toEqual([
      'stale read',
    ])
    expect(rules([...writes(), page('a-one@1', [36_100, 36_101])], { windows })).toEqual(['stale read'])
  })

  it('a stall of the machine is no second that the fleet had', () => {
    const stalls = [{ beginMs: 1_005, endMs: 2_500 }]
    expect(rules([...writes(), page('a-one@1', [2_450, 2_455])], { stalls })).toEqual([])
  })

  it('a revoked key is refused a second later, and a valid one never', () => {
    const key = (use: string | null, at: [number, number]) => [
      operation('key.create', 'a/k1', { at: [0, 10], wanted: 'valid', value: 'valid', made: 'key_1' }),
      operation('key.revoke', 'a/k1', { at: [1_000, 1_010], wanted: null, value: null, made: 'key_1' }),
      operation('key.use', 'a/k1', { at, value: use }),
    ]
    expect(rules(key('valid', [2_000, 2_001]))).toEqual([])
    expect(rules(key('valid', [2_020, 2_021]))).toEqual(['stale read'])
    expect(rules(key(null, [20, 30]))).toEqual(['stale read'])
    expect(rules(key(null, [1_005, 1_006]))).toEqual([])
  })

  it('a deleted record is gone a second later', () => {
    const record = (value: string | null, at: [number, number]) => [
      operation('record.set', 'x.a.net', { at: [0, 10], wanted: '10.0.0.1', value: '10.0.0.1' }),
      operation('record.set', 'x.a.net', { at: [1_000, 1_010], wanted: null, value: null }),
      operation('record.query', 'x.a.net', { at, value }),
    ]
    expect(rules(record('10.0.0.1', [1_500, 1_501]))).toEqual([])
    expect(rules(record('10.0.0.1', [2_500, 2_501]))).toEqual(['stale read'])
    expect(rules(record(null, [2_500, 2_501]))).toEqual([])
  })
})

describe('lost changes', () => {
  const made = operation('deploy', 'a-one', {
    at: [0, 10],
    wanted: 'a-one@1',
    value: 'a-one@1',
    made: 'dpl_1',
  })
  const listed = (list: string[]) => operation('deployments.list', 'a-one', { at: [20, 30], list })

  it('an acknowledged deployment is in every list that was requested later', () => {
    expect(rules([made, listed(['dpl_1', 'dpl_0'])])).toEqual([])
    expect(rules([made, listed(['dpl_0'])])).toEqual(['lost change'])
    expect(rules([made, operation('deployments.list', 'a-one', { at: [5, 30], list: [] })])).toEqual([])
  })

  it('a promotion that the database lost is not linearizable', () => {
    const promotions = [promote('a-one', 'a-one@1', [0, 1]), promote('a-one', 'a-one@2', [2, 3])]
    expect(rules([...promotions, read('a-one', 'a-one@2', [4, 5])])).toEqual([])
    expect(rules([...promotions, read('a-one', 'a-one@1', [4, 5])])).toEqual(['not linearizable'])
  })

  it('a key that was not revoked is listed, and a revoked one is not', () => {
    const create = operation('key.create', 'a/k1', {
      at: [0, 10],
      wanted: 'valid',
      value: 'valid',
      made: 'key_1',
    })
    const revoke = operation('key.revoke', 'a/k1', { at: [20, 30], wanted: null, value: null, made: 'key_1' })
    const keys = (list: string[], at: [number, number]) => operation('keys.list', 'a', { at, list })
    expect(rules([create, keys(['key_1'], [12, 14])])).toEqual([])
    expect(rules([create, keys([], [12, 14])])).toEqual(['lost change'])
    expect(rules([create, revoke, keys([], [15, 25])])).toEqual([])
    expect(rules([create, revoke, keys(['key_1'], [40, 50])])).toEqual(['lost change'])
  })

  it('a preview is served from its acknowledgement on', () => {
    const preview = operation('preview', 'a-one', { at: [0, 10], wanted: 'a-one@2', made: 'dpl_2' })
    const visit = (value: string | null, at: [number, number]) =>
      operation('page.preview', 'a-one@2', { at, value })
    expect(rules([preview, visit('a-one@2', [11, 12]), visit(null, [5, 6])])).toEqual([])
    expect(rules([preview, visit(null, [11, 12])])).toEqual(['lost change'])
  })
})

describe("another team's bytes", () => {
  it('every page names its project', () => {
    const deployed = [promote('a-one', 'a-one@1', [0, 1]), promote('b-one', 'b-one@1', [0, 1])]
    expect(rules([...deployed, page('a-one@1', [2, 3])])).toEqual([])
    expect(rules([...deployed, page('b-one@1', [2, 3])])).toContain("another team's bytes")
    expect(rules([...deployed, page('?', [2, 3])])).toContain('wrong bytes')
    expect(rules([operation('page.preview', 'a-one@1', { at: [0, 1], value: 'a-one@2' })])).toEqual([
      "another team's bytes",
    ])
  })

  it('a log has rows of its team only, and strangers are refused', () => {
    const log = (list: string[]) => operation('log.read', 'a', { at: [0, 1], list })
    expect(rules([log(['a-one', 'a-two'])])).toEqual([])
    expect(rules([log(['a-one', 'b-one'])])).toEqual(["another team's bytes"])
    const stranger = (value: string) => operation('stranger', 'b-one', { at: [0, 1], value })
    expect(rules([stranger('refused')])).toEqual([])
    expect(rules([stranger('seen')])).toEqual(["another team's bytes"])
  })
})

describe('failures', () => {
  const failed = (
    kind: 'promote' | 'page.live' | 'page.steady' | 'record.query.steady',
    at: [number, number],
    more = {},
  ) => operation(kind, 'a-one', { at, outcome: kind === 'promote' ? 'info' : 'fail', status: 503, ...more })

  it('a failure is excused only by what is away, until five seconds after it is back', () => {
    const windows = [away(['database'], [1_000, 3_000])]
    expect(rules([failed('promote', [2_000, 2_100])], { windows })).toEqual([])
    expect(rules([failed('promote', [7_900, 7_950])], { windows })).toEqual([])
    expect(rules([failed('promote', [8_100, 8_200])], { windows })).toEqual(['unexpected failure'])
    expect(rules([failed('promote', [500, 600])], { windows })).toEqual(['unexpected failure'])
    const known = operation('record.query.steady', 'a-one', { at: [5, 6], value: null })
    expect(rules([known, failed('record.query.steady', [2_000, 2_100])], { windows })).toEqual([
      'unexpected failure',
    ])
  })

  it('a process serves what it had in its cache, whatever it reads it from', () => {
    const windows = [away(['bucket'], [5_000, 8_000])]
    const visited = (node: string, ms: number) =>
      operation('page.steady', 'a-one', { at: [ms, ms + 1], value: 'a-one@1', node, status: 200 })
    const deployed = promote('a-one', 'a-one@1', [0, 1])
    const lost = failed('page.steady', [6_000, 6_100], { node: 'edge-1' })
    const started = (ms: number) => [{ type: 'started', timeMs: ms, process: 'edge-1' } as const]
    const judged = (warm: Operation, processes = started(100)) =>
      rules([deployed, warm, lost], { windows, processes })
    expect(judged(visited('edge-1', 2_000))).toEqual(['unexpected failure'])
    expect(judged(visited('edge-2', 2_000))).toEqual([])
    expect(judged(visited('edge-1', 2_000), started(3_000))).toEqual([])
  })

  it('a missing Redis, or latency, excuses nothing', () => {
    const windows = [away([], [0, 10_000])]
    expect(rules([failed('promote', [2_000, 2_100])], { windows })).toEqual(['unexpected failure'])
  })

  it('the death of one process excuses only what it handled', () => {
    const windows = [away(['api'], [1_000, 3_000], 'api-1')]
    expect(rules([failed('promote', [1_000, 1_100], { node: 'api-1' })], { windows })).toEqual([])
    expect(rules([failed('promote', [1_000, 1_100])], { windows })).toEqual([])
    expect(rules([failed('promote', [1_000, 1_100], { node: 'api-2' })], { windows })).toEqual([
      'unexpected failure',
    ])
  })

  it('no valid request is refused, whatever is away', () => {
    const windows = [away(['database'], [0, 10_000])]
    const refused = operation('promote', 'a-one', {
      at: [10, 20],
      outcome: 'fail',
      status: 409,
      note: 'not_ready',
    })
    expect(rules([refused], { windows })).toEqual(['unexpected refusal'])
  })

  it('no request takes longer than its bound, and each returns', () => {
    const slow = (kind: 'deploy' | 'promote', took: number) =>
      operation(kind, 'a-one', { at: [0, took], value: 'a-one@1', made: 'dpl_1' })
    expect(rules([slow('promote', 14_000)])).toEqual([])
    expect(rules([slow('promote', 16_000)])).toEqual(['hanging request'])
    const windows = [away(['bucket'], [0, 5_000])]
    expect(rules([slow('deploy', 35_000)], { windows })).toEqual([])
    expect(rules([slow('promote', 35_000)], { windows })).toEqual(['hanging request'])
    const never = operation('promote', 'a-one', { at: [0, Number.POSITIVE_INFINITY], outcome: 'info' })
    expect(rules([never])).toEqual(['hanging request'])
  })

  it('no process of the fleet ends by itself', () => {
    const died = { type: 'died', timeMs: 5, process: 'api-1', note: 'code 1' } as const
    expect(rules([], { processes: [died] })).toEqual(['died by itself'])
    expect(rules([], { processes: [{ ...died, type: 'started' }] })).toEqual([])
  })
})

describe('attacks', () => {
  const stretch = (name: 'calm' | 'attacked', sinceMs: number, timeMs: number) =>
    ({ type: 'stretch', name, sinceMs, timeMs, busy: {} }) as const
  const stretches = [
    stretch('calm', 0, 5_000),
    stretch('attacked', 10_000, 15_000),
    stretch('calm', 15_000, 20_000),
    stretch('attacked', 20_000, 25_000),
  ]
  const reads = (beginMs: number, tookMs: number) =>
    Array.from({ length: 20 }, (_, at) => {
      const startMs = beginMs + 20 * at
      return operation('log.read', 'a', { at: [startMs, startMs + tookMs], list: [] })
    })
  const judged = (calmMs: number, attackedMs: number) =>
    rules([...reads(0, calmMs), ...reads(20_000, attackedMs)], { stretches })

  it('others may wait twice as long as before, or a quarter of a second', () => {
    expect(judged(10, 250)).toEqual([])
    expect(judged(10, 251)).toEqual(['slowed by attacks'])
    expect(judged(200, 400)).toEqual([])
    expect(judged(200, 401)).toEqual(['slowed by attacks'])
  })

  it('what began between two stretches, or after the last, counts for none', () => {
    expect(rules([...reads(0, 10), ...reads(6_000, 900), ...reads(25_000, 900)], { stretches })).toEqual([])
  })

  it('what was slow is named by the attacks beside it', () => {
    const windows = [{ ...away([], [10_000, 15_000]), name: 'a flood' }]
    const [found] = judge([...reads(0, 10), ...reads(10_000, 900)], { stretches, windows })
    expect(found?.message).toContain('250 ms are allowed. Longer took 20 beside a flood.')
  })

  it('a node keeps to its memory, and none of its processes is ended for want of it', () => {
    const limits = { process: 'api-1', limitBytes: 1_000, peakBytes: 1_000, kills: 0 }
    const line: MemoryLine = { type: 'memory', timeMs: 5, ...limits }
    const judge = (more: Partial<MemoryLine>) => rules([], { memory: [{ ...line, ...more }] })
    expect(judge({})).toEqual([])
    expect(judge({ peakBytes: 1_001 })).toEqual(['out of memory'])
    expect(judge({ kills: 1 })).toEqual(['out of memory'])
  })

  it('a run with attacks also pushes, and visits over HTTP/2', () => {
    const unexercised = (more: Partial<History>) =>
      check(history([], more)).violations.map(({ message }) => message)
    expect(unexercised({})).not.toContain('No push succeeded.')
    expect(unexercised({ stretches })).toContain('No push succeeded.')
  })
})

describe('webhooks', () => {
  const deploy = (value: string, at: [number, number]) =>
    operation('deploy', 'a-one', { at, wanted: value, value, made: `dpl_${value}` })
  const eventsOf = (value: string) =>
    ['created', 'ready', 'promoted'].map((each) => arrived(`deployment.${each}`, `dpl_${value}`))

  it('each event of an acknowledged change arrives at least once', () => {
    expect(rules([deploy('a-one@1', [0, 1])], { events: eventsOf('a-one@1') })).toEqual([])
    expect(rules([deploy('a-one@1', [0, 1])], { events: eventsOf('a-one@1').slice(1) })).toEqual([
      'lost webhook',
    ])
    expect(
      rules([deploy('a-one@1', [0, 1])], { events: [...eventsOf('a-one@1'), ...eventsOf('a-one@1')] }),
    ).toEqual([])
  })

  it('an event is expected for each promotion that changed something, repeats of one event aside', () => {
    const operations = [
      deploy('a-one@1', [0, 1]),
      deploy('a-one@2', [2, 3]),
      promote('a-one', 'a-one@1', [4, 5]),
      promote('a-one', 'a-one@1', [6, 7]),
    ]
    const events = [...eventsOf('a-one@1'), ...eventsOf('a-one@2')]
    expect(rules(operations, { events: [...events, arrived('deployment.promoted', 'dpl_a-one@1')] })).toEqual(
      [],
    )
    expect(rules(operations, { events })).toEqual(['lost webhook'])
    const [repeated] = events.filter(
      ({ event, about }) => event === 'deployment.promoted' && about === 'dpl_a-one@1',
    )
    expect(rules(operations, { events: [...events, ...(repeated ? [repeated] : [])] })).toEqual([
      'lost webhook',
    ])
  })

  it('keys and records have events, too', () => {
    const key = operation('key.create', 'a/k1', { at: [0, 1], value: 'valid', made: 'key_1' })
    const record = operation('record.set', 'x.a.net', {
      at: [0, 1],
      value: '10.0.0.1',
      made: 'rec_1',
      note: 'record.updated',
    })
    const events = [arrived('key.created', 'key_1'), arrived('record.updated', 'rec_1')]
    expect(rules([key, record], { events })).toEqual([])
    expect(rules([key, record], { events: [] })).toEqual(['lost webhook', 'lost webhook'])
  })

  it('a wrong signature, or the event of another team, is a violation', () => {
    expect(rules([], { events: [arrived('key.created', 'key_1', { problem: 'wrong signature' })] })).toEqual([
      'wrong webhook',
    ])
  })
})

it('a kind of operation that never succeeded is reported', () => {
  const found = check(history([promote('a-one', 'a-one@1', [0, 1])])).violations
  const missing = found.filter(({ rule }) => rule === 'never exercised').map(({ message }) => message)
  expect(missing).toContain('No page.live succeeded.')
  expect(missing).not.toContain('No promote succeeded.')
})
