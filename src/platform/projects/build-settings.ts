/** How a project is built: changes of it. */
import type { BuildSettings } from '../../stores/db/schema/projects.ts'
import { namesOf } from './field.ts'
import { buildFacts, defaultBuild } from './field-facts.ts'

type BuildChanges = { [Name in keyof BuildSettings]?: BuildSettings[Name] | null | undefined }

/** `base` with the settings in `changes`; `null` restores a default. */
export function mergeBuild(base: BuildSettings, changes: BuildChanges): BuildSettings {
  const merged = { ...base }
  const take = <Name extends keyof BuildSettings>(name: Name) => {
    const wanted = changes[name]
    if (wanted !== undefined) merged[name] = wanted ?? defaultBuild[name]
  }
  for (const name of namesOf(buildFacts)) take(name)
  return merged
}
