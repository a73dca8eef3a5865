/** Completion candidates, from the command tree and the server. */
import type { Argument, Command, Option } from 'commander'
import { connect } from './connection/connect.ts'
import type { Io } from './io.ts'

export type Candidate = { name: string; description: string }

/** Nobody waits longer for a completion. */
const timeoutMs = 1500

/** The candidates for the last of `words`, which may be empty or partial. */
export async function complete(io: Io, program: Command, words: string[]): Promise<Candidate[]> {
  const [begun = '', ...before] = withoutEqualSigns(words).reverse()
  const { command, value, operands } = place(program, before.reverse())
  const all = await candidates(io, command, { begun, value, operands })
  return all.filter(({ name }) => name.startsWith(begun))
}

/** bash splits `--option=value` into three words. */
function withoutEqualSigns(words: string[]): string[] {
  const apart = words.at(-1) === '=' ? [...words, ''] : words
  return apart.filter((word) => word !== '=')
}

type Place = {
  command: Command
  /** The option whose value comes next. */
  value: Option | undefined
  /** How many arguments the command already has. */
  operands: number
}

function place(program: Command, words: string[]): Place {
  let at: Place = { command: program, value: undefined, operands: 0 }
  for (const word of words) {
    const { command } = at
    const below = command.commands.find((each) => each.name() === word)
    if (at.value) at = { ...at, value: undefined }
    else if (word.startsWith('-'))
      at = { ...at, value: options(command).find((each) => each.long === word && takesValue(each)) }
    else if (below) at = { command: below, value: undefined, operands: 0 }
    else at = { ...at, operands: at.operands + 1 }
  }
  return at
}

async function candidates(
  io: Io,
  command: Command,
  { begun, value, operands }: Omit<Place, 'command'> & { begun: string },
): Promise<Candidate[]> {
  if (value) return valuesOf(io, value, value.long?.slice(2) ?? '')
  if (begun.startsWith('-')) {
    return options(command).map(({ long, description }) => ({ name: long ?? '', description }))
  }
  const argument = command.registeredArguments[operands]
  if (argument) return valuesOf(io, argument, argument.name())
  if (operands > 0) return []
  const below = command.createHelp().visibleCommands(command)
  return below.map((each) => ({ name: each.name(), description: each.description() }))
}

/** The options of the command and of its parents; a group of commands also has those of its `ls`. */
function options(command: Command): readonly Option[] {
  const help = command.createHelp()
  const list = command.commands.find((each) => each.name() === 'ls')
  return [
    ...(list ? list.options : []),
    ...help.visibleOptions(command),
    ...help.visibleGlobalOptions(command),
  ]
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

async function valuesOf(io: Io, of: Option | Argument, name: string): Promise<Candidate[]> {
  if (name.startsWith('project')) return known(io, 'project')
  if (name === 'domain') return known(io, 'domain')
  return (of.argChoices ?? []).map((choice) => ({ name: choice, description: '' }))
}

/** The names of the team's first projects or domains; none if the server can't be reached. */
async function known(io: Io, kind: 'project' | 'domain'): Promise<Candidate[]> {
  try {
    const { api } = connect(io, {})
    const options = { signal: AbortSignal.timeout(timeoutMs) }
    const names =
      kind === 'project'
        ? (await api.projects.list.query({ limit: 100 }, options)).data.map(({ name }) => name)
        : (await api.domains.list.query({ limit: 100 }, options)).data.map(({ domain }) => domain)
    // Only what a shell reads as one plain word.
    return names.filter((name) => /^[a-z0-9.-]+$/.test(name)).map((name) => ({ name, description: kind }))
  } catch {
    return []
  }
}
