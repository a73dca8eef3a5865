/** Branches of one commit. */
import type { Update } from '../packs/pack.ts'

export function branchesAt(commit: string, count: number): Update[] {
  return Array.from({ length: count }, (_, at) => ({ branch: `b${at}`, to: commit }))
}
