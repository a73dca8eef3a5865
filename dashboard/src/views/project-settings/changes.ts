/** The changes of a page of settings, which are saved together. */
import type { ProjectChanges, ProjectRecord } from './use-save'

/** The settings that a request sets as a record has them. */
export type FieldName = Exclude<
  keyof ProjectRecord & keyof ProjectChanges,
  'name' | 'build' | 'runtime' | 'env' | 'git'
>

type Runtime = ProjectRecord['runtime']

type Saved = Pick<ProjectRecord, 'name' | FieldName>

export type Changes = Partial<Saved> & {
  /** Null is the default. */
  build?: { [Field in keyof ProjectRecord['build']]?: string | null }
  runtime?: { [Field in keyof Runtime]?: Runtime[Field] | null }
  git?: Partial<Pick<ProjectRecord['git'], 'production_branch'>>
}

/** The parts of the page that are saved together: each shows the values, and reports what is changed. */
export type SettingsProps = {
  project: ProjectRecord
  changes: Changes
  change: (next: Changes) => void
  /** The problem with the field at this path. */
  errorOf: (path: string) => string | undefined
  isOwner: boolean
}

/** Both changes in one, without those to what the project has already. */
export function mergeChanges(project: ProjectRecord, before: Changes, next: Changes): Changes {
  const build = withoutSame<NonNullable<Changes['build']>>(project.build, { ...before.build, ...next.build })
  const runtime = withoutSame<NonNullable<Changes['runtime']>>(project.runtime, {
    ...before.runtime,
    ...next.runtime,
  })
  const git = withoutSame<NonNullable<Changes['git']>>(project.git, { ...before.git, ...next.git })
  const { build: _build, runtime: _runtime, git: _git, ...others } = { ...before, ...next }
  return {
    ...withoutSame<Partial<Saved>>(project, others),
    ...(Object.keys(build).length > 0 && { build }),
    ...(Object.keys(runtime).length > 0 && { runtime }),
    ...(Object.keys(git).length > 0 && { git }),
  }
}

function withoutSame<Values extends object>(saved: Values, values: Values): Values {
  const kept = { ...values }
  for (const key in kept) if (kept[key] === saved[key]) delete kept[key]
  return kept
}
