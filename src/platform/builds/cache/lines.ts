/** Whose caches a build reads and writes. */
import { hash } from 'node:crypto'
import { toPrintable } from '../../../lib/names/printable.ts'
import type { BuildJob } from '../../deployments/queued/claim-build.ts'

/** The caches of production or of one branch: the name of their directory, and a name for people. */
export type Line = { name: string; label: string }

/** `reads` in the order of preference; `writes` is undefined for a build that leaves nothing. */
export type Lines = { reads: Line[]; writes: Line | undefined }

const production: Line = { name: 'production', label: 'production' }

const branchDigits = 16

/** The most of a branch's name in the log, in UTF-16 code units. */
const shownLength = 100

/**
 * A preview reads the caches of its branch, or else production's, and writes its branch's alone: what is
 * built for production must not depend on who may deploy previews. Builds of somebody outside the team have
 * none.
 */
export function linesOf({ target, meta, untrusted }: Pick<BuildJob, 'target' | 'meta' | 'untrusted'>): Lines {
  if (untrusted) return { reads: [], writes: undefined }
  if (target === 'production') return { reads: [production], writes: production }
  const { branch = '' } = meta
  if (branch === '') return { reads: [production], writes: undefined }
  const own = { name: `branch-${hash('sha256', branch).slice(0, branchDigits)}`, label: show(branch) }
  return { reads: [own, production], writes: own }
}

function show(branch: string): string {
  const text = toPrintable(branch)
  return text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text
}
