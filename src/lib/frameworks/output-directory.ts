/** Where the command of a framework puts the site. */
import { angularFile, angularOutput } from './angular.ts'
import { type Found, nameIn } from './found.ts'
import { pathBelow } from './path-below.ts'
import { plainFields, plainLine } from './plain-fields.ts'
import { flagOf, operandOf } from './scripts.ts'
import type { Framework, Places } from './table.ts'

/**
 * The directory, relative to the root: what the arguments say, else a configuration that says it plainly,
 * else `usual`, which is below the folder of the site.
 * @throws ManifestProblem for a configuration that can't be read.
 */
export async function outputDirectory(
  found: Found,
  { name, places = {} }: Framework,
  { args, usual }: { args: readonly string[]; usual: string },
): Promise<string> {
  const { flags = [], areFlagsBelowFolder = false, inside = '' } = places
  const start = folderOf(found, places, args)
  const said = await configured(found, places, start)
  const folder = pathBelow(start, said.root ?? '') ?? ''
  const flag = flagOf(args, flags)
  const given =
    flag === undefined
      ? said.output && pathBelow(said.output.rooted ? start : folder, said.output.path, inside)
      : pathBelow(areFlagsBelowFolder ? folder : '', flag, inside)
  if (given !== undefined) return given
  const isAngular = name === 'Angular' && found.namesIn('').has(angularFile)
  const byAngular = isAngular ? angularOutput(await found.textOf(angularFile), args) : undefined
  return (byAngular && pathBelow(byAngular)) ?? pathBelow(folder, usual) ?? usual
}

/** The folder of the site; empty for the root. */
function folderOf(found: Found, { hasOperand, mark }: Places, args: readonly string[]): string {
  const operand = hasOperand ? operandOf(args) : undefined
  if (operand !== undefined) return pathBelow(operand) ?? ''
  if (mark === undefined || found.namesIn('').has(mark)) return ''
  return nameIn(found.namesIn(''), (name) => found.namesIn(name).has(mark)) ?? ''
}

type Configured = { root?: string; output?: { path: string; rooted: boolean } }

async function configured(found: Found, { configuration }: Places, start: string): Promise<Configured> {
  if (!configuration) return {}
  const folder = pathBelow(start, configuration.folder ?? '') ?? ''
  const name = nameIn(found.namesIn(folder), (each) => configuration.files.test(each))
  if (name === undefined) return {}
  const text = await found.textOf(folder === '' ? name : `${folder}/${name}`)
  if (/\.(toml|ya?ml)$/.test(name)) {
    const path = plainLine(text, configuration.output)
    return path === undefined ? {} : { output: { path, rooted: false } }
  }
  const fields = plainFields(text)
  const fieldAt = (key: string | undefined) => fields.find((field) => field.key === key)
  const [root, output] = [fieldAt(configuration.root), fieldAt(configuration.output)]
  return {
    ...(typeof root?.value === 'string' && { root: root.value }),
    ...(typeof output?.value === 'string' && { output: { path: output.value, rooted: output.rooted } }),
  }
}
