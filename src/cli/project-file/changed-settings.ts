/** Compares the settings in `svc.json` with those that a project has. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { mergeBuild } from '../../platform/projects/build-settings.ts'
import { namesOf } from '../../platform/projects/field.ts'
import { buildFacts, defaultBuild, fieldFacts } from '../../platform/projects/field-facts.ts'
import { type FileSetting, fileSettings } from '../../platform/projects/file-settings.ts'
import type { FileSettings } from './project-file.ts'

type Project = Pick<RouterOutputs['projects']['get'], FileSetting>

/**
 * The settings whose value differs from the project's, where null stands for the default; empty if there is
 * none.
 */
export function changedSettings(wanted: FileSettings, project: Project): FileSettings {
  const changed: FileSettings = {}
  for (const field of fileSettings) if (isOther(field, wanted, project)) copy(field, wanted, changed)
  return changed
}

function isOther(field: FileSetting, wanted: FileSettings, project: Project): boolean {
  if (wanted[field] === undefined) return false
  if (field === 'build') return isOtherBuild(wanted.build ?? null, project.build)
  return (wanted[field] ?? fieldFacts[field].initial) !== project[field]
}

function copy<F extends FileSetting>(field: F, from: FileSettings, to: FileSettings): void {
  to[field] = from[field]
}

function isOtherBuild(wanted: NonNullable<FileSettings['build']> | null, present: Project['build']): boolean {
  const merged = mergeBuild(wanted === null ? defaultBuild : present, wanted ?? {})
  return namesOf(buildFacts).some((name) => merged[name] !== present[name])
}
