/** Compares the settings in `svc.json` with those that a project has. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { mergeBuild } from '../../platform/projects/build-settings.ts'
import { namesOf } from '../../platform/projects/field.ts'
import {
  buildFacts,
  defaultBuild,
  defaultRuntime,
  fieldFacts,
  runtimeFacts,
} from '../../platform/projects/field-facts.ts'
import { type FileSetting, fileSettings } from '../../platform/projects/file-settings.ts'
import type { FileSettings } from './project-file.ts'

type Project = Pick<RouterOutputs['projects']['get'], FileSetting>

/**
 * The settings whose value differs from the project's, where null stands for the default; empty if there is
 * none. Of `runtime` the parts that differ, since members set only some.
 */
export function changedSettings(wanted: FileSettings, project: Project): FileSettings {
  const changed: FileSettings = {}
  for (const field of fileSettings) if (isOther(field, wanted, project)) copy(field, wanted, changed)
  if (changed.runtime) changed.runtime = changedRuntime(changed.runtime, project.runtime)
  return changed
}

function isOther(field: FileSetting, wanted: FileSettings, project: Project): boolean {
  if (wanted[field] === undefined) return false
  if (field === 'build') return isOtherBuild(wanted.build ?? null, project.build)
  if (field === 'runtime') return isOtherRuntime(wanted.runtime ?? null, project.runtime)
  return (wanted[field] ?? fieldFacts[field].initial) !== project[field]
}

function copy<F extends FileSetting>(field: F, from: FileSettings, to: FileSettings): void {
  to[field] = from[field]
}

function isOtherBuild(wanted: NonNullable<FileSettings['build']> | null, present: Project['build']): boolean {
  const merged = mergeBuild(wanted === null ? defaultBuild : present, wanted ?? {})
  return namesOf(buildFacts).some((name) => merged[name] !== present[name])
}

type Runtime = NonNullable<FileSettings['runtime']>

function isOtherRuntime(wanted: Runtime | null, present: Project['runtime']): boolean {
  return Object.keys(changedRuntime(wanted ?? defaultRuntime, present)).length > 0
}

/** Servers of earlier versions have none. */
function changedRuntime(wanted: Runtime, present: Partial<Project['runtime']> = {}): Runtime {
  const changed: Runtime = {}
  const take = <Name extends keyof Runtime>(name: Name) => {
    const value = wanted[name]
    if (value !== undefined && (value ?? defaultRuntime[name]) !== present[name]) changed[name] = value
  }
  for (const name of namesOf(runtimeFacts)) take(name)
  return changed
}
