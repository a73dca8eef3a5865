/** A project's settings, and how they are stored. */
import { invalidField } from '../../lib/errors.ts'
import { hashToken } from '../callers/token.ts'
import { mergeBuild } from './build-settings.ts'
import { initialsOf, mapRows } from './field.ts'
import { defaultBuild } from './field-facts.ts'
import { fields } from './fields.ts'
import type { HashedChanges } from './hash-site-password.ts'
import type { ProjectChanges } from './project-input.ts'
import { mergeRuntime } from './runtime-settings.ts'
import type { ProjectSettings } from './setting-columns.ts'

/** The settings of a new project. */
export const defaults = {
  build: defaultBuild,
  runtime: {},
  ...initialsOf(fields),
  productionBranch: null,
  productionBranchBy: null,
  bypassSha256: null,
  passwordHash: null,
} as const satisfies Omit<ProjectSettings, 'name'>

/**
 * The columns of each field; undefined for one that isn't given. `env` is stored elsewhere. `defaultBranch`
 * is that of the project's repository at a forge, as far as it is known. @throws AppError `invalid_input`
 */
export function wantedColumns(
  project: ProjectSettings,
  changes: HashedChanges,
  defaultBranch: string | null,
): Record<Exclude<keyof ProjectChanges, 'env'>, Partial<ProjectSettings> | undefined> {
  return {
    name: given(changes.name, (name) => ({ name })),
    build: given(changes.build, (build) => ({
      build: mergeBuild(build === null ? defaultBuild : project.build, build ?? {}),
    })),
    runtime: given(changes.runtime, (runtime) => ({
      runtime: requirePorts(mergeRuntime(runtime === null ? {} : project.runtime, runtime ?? {})),
    })),
    ...mapRows(fields, ({ stored }, name) => given(changes[name], stored)),
    bypass_secret: given(changes.bypass_secret, (secret) => ({
      bypassSha256: secret === null ? null : hashToken(secret),
    })),
    password: given(changes.password, (passwordHash) => ({ passwordHash })),
    git: given(changes.git === null ? null : changes.git?.production_branch, (wanted) =>
      wanted === null ? byForge(defaultBranch) : { productionBranch: wanted, productionBranchBy: 'owner' },
    ),
  }
}

/** @throws AppError `invalid_input` */
function requirePorts(runtime: ProjectSettings['runtime']): ProjectSettings['runtime'] {
  if (runtime.network === 'tcp' && !runtime.ports)
    throw invalidField('runtime.ports', 'name the ports for `network` `tcp`, such as [5432]')
  return runtime
}

function byForge(defaultBranch: string | null): Partial<ProjectSettings> {
  return { productionBranch: defaultBranch, productionBranchBy: defaultBranch === null ? null : 'forge' }
}

function given<T>(value: T | undefined, columns: (value: T) => Partial<ProjectSettings>) {
  return value === undefined ? undefined : columns(value)
}
