/** A project's settings, and how they are stored. */
import type { BuildSettings } from '../../stores/db/schema/projects.ts'
import { hashToken } from '../auth/token.ts'
import type { HashedChanges } from './hash-site-password.ts'
import type { ProjectChanges } from './input.ts'
import type { ProjectSettings } from './setting-columns.ts'

/** The defaults. */
export const defaultBuild: BuildSettings = {
  install_command: null,
  build_command: null,
  output_directory: 'dist',
  root_directory: '.',
}

/** The settings of a new project. */
export const defaults = {
  build: defaultBuild,
  protection: 'none',
  autoPromote: true,
  previewTtlDays: null,
  spa: false,
  hsts: false,
  branchAddresses: true,
  productionBranch: null,
  productionBranchBy: null,
  bypassSha256: null,
  passwordHash: null,
} as const satisfies Omit<ProjectSettings, 'name'>

/**
 * The columns of each field; undefined for one that isn't given. `env` is stored elsewhere. `defaultBranch`
 * is that of the project's repository at a forge, as far as it is known.
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
    protection: given(changes.protection, (wanted) => ({ protection: wanted ?? defaults.protection })),
    bypass_secret: given(changes.bypass_secret, (secret) => ({
      bypassSha256: secret === null ? null : hashToken(secret),
    })),
    password: given(changes.password, (passwordHash) => ({ passwordHash })),
    auto_promote: given(changes.auto_promote, (wanted) => ({ autoPromote: wanted ?? defaults.autoPromote })),
    preview_ttl_days: given(changes.preview_ttl_days, (previewTtlDays) => ({ previewTtlDays })),
    spa: given(changes.spa, (wanted) => ({ spa: wanted ?? defaults.spa })),
    hsts: given(changes.hsts, (wanted) => ({ hsts: wanted ?? defaults.hsts })),
    branch_addresses: given(changes.branch_addresses, (wanted) => ({
      branchAddresses: wanted ?? defaults.branchAddresses,
    })),
    git: given(changes.git === null ? null : changes.git?.production_branch, (wanted) =>
      wanted === null ? byForge(defaultBranch) : { productionBranch: wanted, productionBranchBy: 'owner' },
    ),
  }
}

function byForge(defaultBranch: string | null): Partial<ProjectSettings> {
  return { productionBranch: defaultBranch, productionBranchBy: defaultBranch === null ? null : 'forge' }
}

function given<T>(value: T | undefined, columns: (value: T) => Partial<ProjectSettings>) {
  return value === undefined ? undefined : columns(value)
}

/** `base` with the settings in `changes`; `null` restores a default. */
export function mergeBuild(
  base: BuildSettings,
  changes: NonNullable<ProjectChanges['build']>,
): BuildSettings {
  const pick = <K extends keyof BuildSettings>(key: K) => {
    const value = changes[key]
    if (value === undefined) return base[key]
    return value === null ? defaultBuild[key] : value
  }
  return {
    install_command: pick('install_command'),
    build_command: pick('build_command'),
    output_directory: pick('output_directory') ?? defaultBuild.output_directory,
    root_directory: pick('root_directory') ?? defaultBuild.root_directory,
  }
}
