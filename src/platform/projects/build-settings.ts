/** How a project is built, and one deployment of it: changes. */
import type { BuildSettings, DeploymentBuild } from '../../stores/db/schema/projects.ts'
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

/** The build of a deployment of a project, with the settings that its request gave by itself. */
export function buildOfDeployment(
  project: { build: BuildSettings; start: string | null },
  given: BuildChanges & { start?: string | null | undefined },
): DeploymentBuild & { start: string | null } {
  return {
    ...mergeBuild(project.build, given),
    start: given.start === undefined ? project.start : given.start,
  }
}
