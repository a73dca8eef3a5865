/** The guard of every procedure: what a call must pass before its input is parsed, whoever makes it. */

import { AppError } from '../../lib/errors.ts'
import { checkCredential } from '../../platform/callers/enforcement.ts'
import { requireUnlimitedKey } from '../../platform/callers/key-limits/limits.ts'
import type { Principal } from '../../platform/callers/principal.ts'
import { factorRequired, lacksFactor } from '../../platform/callers/require-factor.ts'
import { requireOwner } from '../../platform/callers/roles.ts'
import { callerNeeded } from '../../platform/callers/unauthorized.ts'
import { requireOpened } from '../../platform/callers/workloads/require-opened.ts'
import { checkInput, maxItemsFor } from './check-input.ts'
import type { Context } from './context.ts'
import type { ProcedureMeta } from './procedure-meta.ts'
import { spendToken } from './spend-token.ts'

/** A procedure to be called; `name` is such as `projects.get`. */
export type Guarded = {
  name: string
  type: 'query' | 'mutation' | 'subscription'
  meta: Pick<ProcedureMeta, 'role' | 'ofPerson' | 'limited' | 'forWorkloads' | 'forUnlimitedKeys'>
}

/** The context of a call that passed the guard. */
export type GuardedContext = Context & { principal: Principal }

/**
 * Checks that the call was counted, that it has a caller whose credential and role the procedure accepts, the
 * second factor that the team may require, and how much the input holds.
 * @throws AppError for refusals; Error for a call that was not counted.
 */
export function guard(ctx: Context, called: Guarded, rawInput: unknown): asserts ctx is GuardedContext {
  const { principal, services } = ctx
  spendToken(ctx.tokens, called)
  if (!principal) throw callerNeeded(called.name)
  checkCredential(called, principal, services.jwts !== undefined)
  requireOpened(principal, called.meta.forWorkloads === true)
  if (called.meta.forUnlimitedKeys) requireUnlimitedKey(principal)
  if (!called.meta.ofPerson && lacksFactor(principal)) throw factorRequired(principal.teamSlug)
  if (called.meta.role === 'owner') requireOwner(principal, 'do this')
  if (principal.projects !== null) checkLimited(called)
  checkInput(rawInput, maxItemsFor(services.caps.maxFiles))
}

/** Refuses limited members; what is for the `owner of it` refuses others by itself. @throws AppError. */
function checkLimited({ name, meta: { role, limited } }: Guarded): void {
  if (typeof limited === 'object') throw new AppError(limited.reason, limited.message)
  if (limited === undefined && role === 'member') throw new Error(`${name} is undecided for limited members.`)
}
