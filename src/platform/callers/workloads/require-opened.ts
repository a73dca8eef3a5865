/** The limits of callers that an identity token stands for: jobs of CI systems. */
import { AppError } from '../../../lib/errors.ts'
import type { Principal } from '../principal.ts'

/** @throws AppError `scope` for a procedure that isn't opened to them. */
export function requireOpened({ kind }: Principal, isOpened: boolean): void {
  if (kind === 'workload' && !isOpened) throw beyondScope('do this')
}

/** The refusal; `what` completes "A token of a trust policy may not …". */
export function beyondScope(what: string): AppError {
  return new AppError(
    'scope',
    `A token of a trust policy may not ${what}: it reads its project, and makes and reads deployments of it.`,
  )
}
