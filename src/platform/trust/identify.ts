/** Identifies the jobs of CI systems by their tokens, as callers that a project's policies admit. */
import type { Database } from '../../stores/db/database.ts'
import type { Identify } from '../callers/authenticate.ts'
import type { Identities } from '../callers/workloads/identities.ts'
import { matchPolicies } from './match-policies.ts'

type Deps = { db: Database; identities: Identities; nowMs: () => number }

/** Verifies a token first: claims of a forged one are matched with nothing. */
export function createIdentify({ db, identities, nowMs }: Deps): Identify {
  return async ({ token, audience, ...place }) =>
    matchPolicies(db, await identities.verify(token, audience, nowMs()), place, nowMs())
}
