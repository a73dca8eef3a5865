/** How the server of a project runs: stored settings, and changes of them. */
import type { RuntimeSettings } from '../../stores/db/schema/projects.ts'
import { namesOf } from './field.ts'
import { defaultRuntime, runtimeFacts } from './field-facts.ts'

type RuntimeChanges = { [Name in keyof RuntimeSettings]?: RuntimeSettings[Name] | null | undefined }

/** All settings, of those that are stored, which are those that aren't the initial ones. */
export function runtimeOf(stored: Partial<RuntimeSettings>): RuntimeSettings {
  return { ...defaultRuntime, ...stored }
}

/** The settings to store after changes of the stored ones; `null` restores a default. */
export function mergeRuntime(
  stored: Partial<RuntimeSettings>,
  changes: RuntimeChanges,
): Partial<RuntimeSettings> {
  const merged: Partial<RuntimeSettings> = {}
  const take = <Name extends keyof RuntimeSettings>(name: Name) => {
    const wanted = changes[name] === undefined ? stored[name] : changes[name]
    if (wanted !== undefined && wanted !== null && wanted !== defaultRuntime[name]) merged[name] = wanted
  }
  for (const name of namesOf(runtimeFacts)) take(name)
  return merged
}
