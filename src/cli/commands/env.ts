/** `svc env`: a project's environment variables, whose values can be set but never read. */
import { Command } from 'commander'
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { checkKey, parseAssignments, readVariables, type Variable } from '../env-changes.ts'
import { exitCodes } from '../exit-codes.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { readTextFile } from '../named-file.ts'
import { projectOption, targetOption } from '../options.ts'
import { age } from '../terminal/format.ts'
import { write, writeJson, writeTable } from '../terminal/output.ts'
import { readSecret } from '../terminal/prompt.ts'

type Project = RouterOutputs['projects']['get']
type Change = NonNullable<RouterInputs['projects']['put']['env']>[number]
type Options = { project?: string; target?: 'production' | 'preview'; branch?: string }

/** The largest file of variables, and the most of standard input. */
const maxBytes = 1024 * 1024

const examples = `
Examples:
  $ svc env --project web
  $ svc env set MODE=production --target production
  $ svc env set API_KEY < key.txt
  $ svc env set MODE=staging --branch staging
  $ svc env import .env.production --target production
  $ svc env rm MODE API_KEY

A value passed as KEY=value stays in the shell's history. One passed to \`svc env set KEY\` on standard
input, or typed at its prompt, does not.`

/** The command `svc env` and its subcommands. */
export function envCommand(io: Io): Command {
  const below = (name: string) =>
    new Command(name)
      .addOption(projectOption())
      .addOption(targetOption('only for these deployments (default: both)'))
      .option('--branch <branch>', 'only for previews of this branch')
  return new Command('env')
    .description("list a project's environment variables; set, import or remove some")
    .addHelpText('afterAll', examples)
    .addCommand(
      below('ls')
        .description('list names and targets (also without ls)')
        .action((options: Options, command: Command) => list(io, options, command)),
      { isDefault: true },
    )
    .addCommand(
      below('set')
        .description('set variables')
        .argument('<variables...>', 'KEY=value, or one KEY with its value on standard input')
        .action((words: string[], options: Options, command: Command) =>
          set(io, () => askForVariables(io, words), options, command),
        ),
    )
    .addCommand(
      below('import')
        .description('set the variables in a file of KEY=value lines')
        .argument('[file]', 'the file (default: standard input)')
        .action((file: string | undefined, options: Options, command: Command) =>
          set(io, () => readFileOf(io, file), options, command),
        ),
    )
    .addCommand(
      below('rm')
        .description('remove variables')
        .argument('<keys...>', 'their names')
        .action((keys: string[], options: Options, command: Command) => remove(io, keys, options, command)),
    )
}

async function list(io: Io, { project, ...of }: Options, command: Command): Promise<void> {
  const options = globalOptions(command)
  const isMeant = filterOf(of)
  const { api, linked } = connectLinked(io, options)
  const { name, env } = await pickProject(api, project ?? linked?.project)
  const rows = env.filter(isMeant)
  if (options.json) return writeJson(io, rows)
  const nowMs = Date.now()
  writeTable(
    io,
    ['KEY', 'TARGET', 'BRANCH', 'CHANGED'],
    rows.map((row) => [row.key, row.target.join(','), row.branch ?? '-', age(row.updated_ms, nowMs)]),
    `${name} has no such variables.`,
  )
}

async function askForVariables(io: Io, words: string[]): Promise<Variable[]> {
  const [key = '', ...others] = words
  if (others.length > 0 || key.includes('=')) return parseAssignments(words)
  checkKey(key)
  const value = await readSecret(io, `Value of ${key}: `)
  if (value === '' && !io.stdin.isTTY)
    throw usageFailure(
      `Standard input has no value for ${key}: pipe one, or write ${key}= to set it to nothing.`,
    )
  // The line break that `echo` and editors append is not part of the value.
  return [{ key, value: value.replace(/\r?\n$/, '') }]
}

async function readFileOf(io: Io, file: string | undefined): Promise<Variable[]> {
  if (file === undefined) {
    if (io.stdin.isTTY) throw usageFailure('Pass a file, or pipe one to standard input.')
    return readVariables(await readSecret(io, ''), 'Standard input')
  }
  return readVariables(await readTextFile(file, { maxBytes, signal: io.signal }), file)
}

async function set(
  io: Io,
  read: () => Promise<Variable[]>,
  options: Options,
  command: Command,
): Promise<void> {
  filterOf(options)
  const { api, linked } = connectLinked(io, globalOptions(command))
  const project = await pickProject(api, options.project ?? linked?.project)
  const variables = await read()
  const changed = await change(api, project, options, variables)
  tell(io, globalOptions(command), changed, `Set ${variables.map(({ key }) => key).join(', ')}`)
}

async function remove(io: Io, words: string[], options: Options, command: Command): Promise<void> {
  const keys = [...new Set(words.map((word) => checkKey(word)))]
  const isMeant = filterOf(options)
  const { api, linked } = connectLinked(io, globalOptions(command))
  const project = await pickProject(api, options.project ?? linked?.project)
  const { target, branch } = options
  // Without a branch, what branches have stays.
  const there = project.env.filter(isMeant).filter((each) => branch !== undefined || !each.branch)
  const missing = keys.filter((key) => !there.some((each) => each.key === key))
  if (missing.length > 0) {
    const of = branch === undefined ? target : `branch ${branch}`
    const where = of === undefined ? project.name : `${project.name} (${of})`
    const message = `${where} has no variable ${missing.join(', ')}. Nothing was removed.`
    throw new Failure(exitCodes.notFound, { reason: 'variable_not_found', message })
  }
  const removals = keys.map((key) => ({ key, value: null }))
  const changed = await change(api, project, options, removals)
  tell(io, globalOptions(command), changed, `Removed ${keys.join(', ')}`)
}

/** Whether an entry is for the target or branch meant. @throws Failure (2) for a branch in production. */
function filterOf({ target, branch }: Options): (entry: Project['env'][number]) => boolean {
  if (target === 'production' && branch !== undefined)
    throw usageFailure('A variable of a branch is for its previews: leave --target production out.')
  return (entry) =>
    (target === undefined || entry.target.includes(target)) &&
    (branch === undefined || entry.branch === branch)
}

/** By id: a `PUT` by name would create a project that was deleted meanwhile. */
function change(api: Api, { id }: Project, { target, branch }: Options, changes: Change[]): Promise<Project> {
  const place = { ...(target && { target: [target] }), ...(branch !== undefined && { branch }) }
  const env = changes.map((each) => ({ ...each, ...place }))
  return api.projects.put.mutate({ project: id, env })
}

function tell(io: Io, { json }: GlobalOptions, project: Project, what: string): void {
  if (json) writeJson(io, project.env)
  else write(io, `${what} in ${project.name}.`)
}
