/** Compares the settings in `svc.json` with those that a project has. */
import type { RouterOutputs } from '../../client/index.ts'
import { defaultBuild, defaults, mergeBuild } from '../../projects/settings.ts'
import type { FileSettings } from './project-file.ts'

type Project = Pick<
  RouterOutputs['projects']['get'],
  'build' | 'protection' | 'auto_promote' | 'preview_ttl_days' | 'spa' | 'hsts'
>

/** The settings whose value differs from the project's, where null stands for the default; empty if there is none. */
export function changedSettings(wanted: FileSettings, project: Project): FileSettings {
  const { build, protection, auto_promote, preview_ttl_days, spa, hsts } = wanted
  return {
    ...(build !== undefined && isOtherBuild(build, project.build) && { build }),
    ...(isOther(protection, project.protection, defaults.protection) && { protection }),
    ...(isOther(auto_promote, project.auto_promote, defaults.autoPromote) && { auto_promote }),
    ...(isOther(preview_ttl_days, project.preview_ttl_days, null) && { preview_ttl_days }),
    ...(isOther(spa, project.spa, defaults.spa) && { spa }),
    ...(isOther(hsts, project.hsts, defaults.hsts) && { hsts }),
  }
}

function isOther<T>(wanted: T | null | undefined, present: T | null, fallback: T | null): boolean {
  return wanted !== undefined && (wanted ?? fallback) !== present
}

function isOtherBuild(wanted: NonNullable<FileSettings['build']> | null, present: Project['build']): boolean {
  const merged = mergeBuild(wanted === null ? defaultBuild : present, wanted ?? {})
  return (
    merged.install_command !== present.install_command ||
    merged.build_command !== present.build_command ||
    merged.output_directory !== present.output_directory ||
    merged.root_directory !== present.root_directory
  )
}
