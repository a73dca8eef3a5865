/** The project whose rows a list shows. */
import { usageFailure } from '../command-failure.ts'
import type { Io } from '../io.ts'
import type { FoundProjectFile } from '../project-file/project-file.ts'
import { warn } from '../terminal/output.ts'

type Wanted = {
  /** The project that an option or argument names. */
  named: string | undefined
  /** Whether `--all` is there. */
  all: boolean | undefined
  /** How `named` is written, for the error. */
  as: string
}

/**
 * The named project, else that of `svc.json`, which a line on stderr then names; undefined with `--all` and
 * outside linked directories: all of the team's.
 * @throws Failure (2) with both a name and `--all`.
 */
export function projectOfList(
  io: Pick<Io, 'stderr'>,
  linked: FoundProjectFile | undefined,
  { named, all, as }: Wanted,
): string | undefined {
  if (all && named !== undefined) throw usageFailure(`Pass either --all or ${as}.`)
  if (all || named !== undefined || linked?.project === undefined) return named
  warn(io, `Of the project ${linked.project}, as svc.json says; --all is of all projects.`)
  return linked.project
}
