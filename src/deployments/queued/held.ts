/** Whose a build is: a worker holds it until another has begun it again, or it has ended. */
import { and, eq, type SQL } from 'drizzle-orm'
import { deployments } from '../../db/schema/projects.ts'

/** A beginning of a build: by which worker, and which of them it is. */
export type Held = { id: string; worker: string; attempts: number }

/** The condition for the row of a build that is still held so; whatever it writes has it. */
export function isHeld({ id, worker, attempts }: Held): SQL | undefined {
  return and(
    eq(deployments.id, id),
    eq(deployments.state, 'building'),
    eq(deployments.worker, worker),
    eq(deployments.attempts, attempts),
  )
}

/** What a row says that nobody builds any more. */
export const withoutWorker = { worker: null, leaseUntilMs: null, sourceManifestId: null } as const
