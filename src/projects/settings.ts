/** A project's settings, and how they are stored. */
import { hash } from 'node:crypto'
import type { BuildSettings, projects } from '../db/schema/projects.ts'
import type { EnvChange } from './env.ts'
import type { ProjectRecord } from './record.ts'

/** The settable fields; an omitted one keeps its value, `null` restores its default. */
export type ProjectChanges = {
  name?: string | undefined
  build?: { [K in keyof BuildSettings]?: BuildSettings[K] | null | undefined } | null | undefined
  env?: EnvChange[] | null | undefined
  protection?: ProjectRecord['protection'] | null | undefined
  bypass_secret?: string | null | undefined
  auto_promote?: boolean | null | undefined
  preview_ttl_days?: number | null | undefined
  spa?: boolean | null | undefined
  hsts?: boolean | null | undefined
}

/** The defaults. */
export const defaultBuild: BuildSettings = {
  install_command: null,
  build_command: null,
  output_directory: 'dist',
  root_directory: '.',
}

export const defaults = { protection: 'none', autoPromote: true, spa: false, hsts: false } as const

/** The stored settings, except the environment. */
export type ProjectSettings = Pick<
  typeof projects.$inferSelect,
  'name' | 'build' | 'protection' | 'autoPromote' | 'previewTtlDays' | 'spa' | 'hsts' | 'bypassSha256'
>

/** The columns of each given field; `env` is stored elsewhere. */
export function wantedColumns(
  project: ProjectSettings,
  changes: ProjectChanges,
): Partial<Record<keyof ProjectChanges, Partial<ProjectSettings>>> {
  const { name, build, protection, bypass_secret: secret, auto_promote, preview_ttl_days } = changes
  const { spa, hsts } = changes
  return {
    ...(name !== undefined && { name: { name } }),
    ...(build !== undefined && {
      build: { build: mergeBuild(build === null ? defaultBuild : project.build, build ?? {}) },
    }),
    ...(protection !== undefined && { protection: { protection: protection ?? defaults.protection } }),
    ...(secret !== undefined && {
      bypass_secret: { bypassSha256: secret === null ? null : hash('sha256', secret) },
    }),
    ...(auto_promote !== undefined && {
      auto_promote: { autoPromote: auto_promote ?? defaults.autoPromote },
    }),
    ...(preview_ttl_days !== undefined && { preview_ttl_days: { previewTtlDays: preview_ttl_days } }),
    ...(spa !== undefined && { spa: { spa: spa ?? defaults.spa } }),
    ...(hsts !== undefined && { hsts: { hsts: hsts ?? defaults.hsts } }),
  }
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
