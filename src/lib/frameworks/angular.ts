/** Where Angular's command puts a site, by `angular.json`. */
import { isRecord } from '../is-record.ts'
import { parseManifest } from './manifest.ts'
import { operandOf } from './scripts.ts'

export const angularFile = 'angular.json'

/**
 * The output directory of the project that `ng build` builds with these arguments; undefined where the file
 * doesn't say it. The `application` builder puts pages into a folder of their own, the one before it doesn't
 * (Angular CLI, `outputPath`).
 * @throws ManifestProblem
 */
export function angularOutput(text: string, args: readonly string[]): string | undefined {
  const { projects, defaultProject } = parseManifest(angularFile, text)
  const all = isRecord(projects) ? Object.entries(projects) : []
  const named = operandOf(args) ?? defaultProject
  const [name, project] =
    all.find(([each]) => each === named) ??
    all.find(([, each]) => isRecord(each) && each.projectType !== 'library') ??
    []
  if (name === undefined) return undefined
  const build = fieldOf(fieldOf(project, 'architect') ?? fieldOf(project, 'targets'), 'build')
  const given = fieldOf(fieldOf(build, 'options'), 'outputPath')
  const base = textOf(given) ?? textOf(fieldOf(given, 'base')) ?? `dist/${name}`
  const builder = textOf(fieldOf(build, 'builder')) ?? ''
  if (!builder.endsWith(':application')) return base
  return `${base}/${textOf(fieldOf(given, 'browser')) ?? 'browser'}`
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
