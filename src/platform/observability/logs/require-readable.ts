/** The lines of the log that a caller may ask for. */
import type { Principal } from '../../callers/principal.ts'
import { beyondScope } from '../../callers/workloads/require-opened.ts'
import type { LogOptions } from './log-input.ts'

/** @throws AppError `scope` for a job of a CI system that asks for others than those of builds. */
export function requireReadable({ kind: caller }: Principal, { kind }: Pick<LogOptions, 'kind'>): void {
  if (caller === 'workload' && kind !== 'build')
    throw beyondScope('read other lines of the log than those of `kind=build`')
}
