/** The limits of a deployment that a job of a CI system makes, by the trust policy of its token. */
import type { Deployer } from '../callers/actor.ts'
import { beyondScope } from '../callers/workloads/require-opened.ts'
import type { Sources } from './find-sources.ts'

/** Requires that the policy allows the target and the branch. @throws AppError `scope`. */
export function requirePolicy(
  { principal }: Deployer,
  { target, meta: { branch = '' } }: Pick<Sources, 'target' | 'meta'>,
): void {
  if (principal.kind !== 'workload') return
  const { targets, boundTo } = principal
  if (!targets.includes(target))
    throw beyondScope(`deploy to ${target}, since its policy names ${targets.join(', ')} alone`)
  // The address of a branch leads to what names it.
  if (boundTo === undefined || branch === '') return
  if (boundTo === branch) return
  const may =
    boundTo === null ? 'which is no branch: leave meta.branch out or empty' : `the branch ${boundTo}`
  throw beyondScope(
    `name the branch ${branch}, since its policy binds that to the ref of the identity token, ${may}`,
  )
}
