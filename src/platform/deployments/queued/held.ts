/** The holder of a build: a worker holds it until another has claimed it, or it has ended. */
import { and, eq, type SQL } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'

/** An attempt of a build: by which worker, and which attempt. */
export type Held = { id: string; worker: string; attempts: number }

/** The condition for the row of a build that is still held; every write has it. */
export function isHeld({ id, worker, attempts }: Held): SQL | undefined {
  return and(
    eq(deployments.id, id),
    eq(deployments.state, 'building'),
    eq(deployments.worker, worker),
    eq(deployments.attempts, attempts),
  )
}

/** The columns of a row without a builder. */
export const withoutWorker = { worker: null, leaseUntilMs: null } as const
