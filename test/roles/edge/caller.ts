/** Callers whom the edge authenticates. */
import type { Principal } from '../../../src/platform/callers/principal.ts'
import { noKeyLimits } from '../../support/limits.ts'

/** An API key of a team, whose member sees all of its projects. */
export function callerOf(teamId: string): Principal {
  return {
    kind: 'key',
    keyLimits: noKeyLimits,
    prefix: 'svc_Ab3dE6…',
    plan: 'free',
    keyId: 'key_1',
    userId: 'usr_1',
    teamId,
    teamSlug: 'team',
    role: 'member',
    projects: null,
  }
}
