/** How a project is built: the defaults, and changes of them. */
import type { BuildSettings } from '../../stores/db/schema/projects.ts'
import type { ProjectChanges } from './project-input.ts'

/** The defaults. */
export const defaultBuild: BuildSettings = {
  install_command: null,
  build_command: null,
  output_directory: 'dist',
  root_directory: '.',
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
