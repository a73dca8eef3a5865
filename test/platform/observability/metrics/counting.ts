/** Responses as the edge reports them, counted and written by nodes of a test's own. */
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { type Countable, createTrafficCounter } from '../../../../src/platform/observability/metrics/count.ts'
import { sumUp } from '../../../../src/platform/observability/metrics/sum-up.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export type CountedTeam = TestTeam & { projectId: string }

/** A team with a project `web`. */
export async function newCountedTeam(node: TestNode): Promise<CountedTeam> {
  const team = await newTeam(node)
  const { body } = await team.owner('PUT', '/v1/projects/web')
  return { ...team, projectId: body.id }
}

/** The midnight (UTC) this many days ago. */
export const midnight = (daysAgo = 0) => Math.floor(Date.now() / dayMs) * dayMs - daysAgo * dayMs

/** A counter as a node has one, but which writes at once. */
export function newCounter(node: TestNode, atMs = Date.now()) {
  const { db } = node.installation.store
  return createTrafficCounter({
    db,
    nowMs: () => atMs,
    log: createLogger({ write: (line) => void node.logged.push(line) }),
  })
}

/** Counts these responses on a node and writes them at once; each has ended at `endedMs`. */
export async function count(
  node: TestNode,
  { id: teamId, projectId }: { id: string; projectId: string },
  answers: (Partial<Countable> & { endedMs: number })[],
): Promise<void> {
  const counter = newCounter(node, answers.at(-1)?.endedMs)
  const usual = { teamId, projectId, status: 200, bytes: 100, durationMs: 1 }
  for (const answer of answers) counter.count({ ...usual, ...answer })
  await counter.flush()
}

/** Sums up all that is due at a time. Resolves to the numbers of hours and days. */
export async function sumUpAll(node: TestNode, nowMs = Date.now()): Promise<number> {
  const { db } = node.installation.store
  let count = 0
  for (let step = await sumUp({ db, nowMs }); step > 0; step = await sumUp({ db, nowMs })) count += step
  return count
}
