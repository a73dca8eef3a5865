/** Which calls may be sent again without knowing what became of the first. */
import type { Repeat } from '../trpc/repeatable.ts'
import { repeatableMutations } from './repeatable-mutations.ts'

/** How a call may be sent again; undefined if only a refusal, which leaves no effect, allows it. */
export function repeatableAs({ type, path }: { type: string; path: string }): Repeat | undefined {
  return type === 'query' ? 'as-is' : repeatableMutations[path]
}
