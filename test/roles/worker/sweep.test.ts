/** The sweep: in steps, by one node for all, and logged in one line. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { type Sweep, sweepTask } from '../../../src/roles/worker/sweep.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** A sweep that removes this many in its steps, and a node’s task for it. */
function newSweep(
  removes: (number | Error)[],
  changes: Partial<Sweep> = {},
  time: () => number | undefined = Date.now,
) {
  const { db } = node.installation.store
  const lines: string[] = []
  const log = createLogger({ write: (line) => void lines.push(line) })
  const removal = { ask: async () => time() }
  let steps = 0
  const sweep: Sweep = {
    name: unique('sweep'),
    everyMs: 3_600_000,
    by: 'one node',
    async step() {
      const removed = removes.shift() ?? 0
      steps += 1
      if (removed instanceof Error) throw removed
      return removed
    },
    what: 'old things',
    ...changes,
  }
  const run = (stopping = new AbortController().signal) =>
    sweepTask({ db, removal, log }, sweep).run(stopping)
  return { sweep, run, lines, steps: () => steps }
}

const endTurn = (task: string) =>
  node.installation.store.db
    .update(turns)
    .set({ nextMs: Date.now() - 1_000 })
    .where(eq(turns.task, task))

describe('a sweep', () => {
  it('continues until nothing is left, and is logged in one line with the count', async () => {
    const { sweep, run, lines, steps } = newSweep([1_000, 1_000, 20])
    expect(await run()).toBe(false)
    expect(steps()).toBe(4)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { task: sweep.name, count: 2_020, msg: 'removed 2020 old things' },
    ])
  })

  it('logs nothing if there was nothing', async () => {
    const { run, lines } = newSweep([])
    await run()
    expect(lines).toEqual([])
  })

  it('runs once for all nodes in an interval', async () => {
    const { run, steps } = newSweep([])
    await Promise.all(Array.from({ length: 5 }, () => run()))
    expect(steps()).toBe(1)
  })

  it('resumes in the next turn after it failed, or its node died, and logs what was done', async () => {
    const { sweep, run, lines } = newSweep([7, new Error('The database is away.'), 5])
    await expect(run()).rejects.toThrow('away')
    await run()
    expect(lines).toHaveLength(1)
    await endTurn(sweep.name)
    await run()
    expect(lines.map((line) => JSON.parse(line).count)).toEqual([7, 5])
  })

  it('ends after the current step when the node stops', async () => {
    const stopping = new AbortController()
    let steps = 0
    const { run, lines } = newSweep([], {
      async step() {
        stopping.abort()
        steps += 1
        return 3
      },
    })
    await run(stopping.signal)
    expect(steps).toBe(1)
    expect(lines).toHaveLength(1)
  })

  it('of a node’s own files is done by each node', async () => {
    const { run, steps } = newSweep([], { by: 'each node' })
    await run()
    await run()
    expect(steps()).toBe(2)
  })

  it('is skipped while the clock has jumped, and done in the same turn once it is trusted', async () => {
    let nowMs: number | undefined
    const { run, steps } = newSweep([], {}, () => nowMs)
    await run()
    expect(steps()).toBe(0)
    nowMs = Date.now()
    await run()
    expect(steps()).toBe(1)
  })

  it('is attempted every minute, so that another node takes over soon', () => {
    const { sweep } = newSweep([])
    const deps = {
      db: node.installation.store.db,
      removal: believed(Date.now),
      log: createLogger({ write: () => {} }),
    }
    expect(sweepTask(deps, sweep).everyMs).toBe(60_000)
    expect(sweepTask(deps, { ...sweep, by: 'each node' }).everyMs).toBe(3_600_000)
  })
})
