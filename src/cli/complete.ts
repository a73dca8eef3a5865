/** What could come next on a command line, as far as the tree of commands and the server tell. */
import type { Argument, Command, Option } from 'commander'
import { connect } from './connection/connect.ts'
import type { Io } from './io.ts'

export type Candidate = { name: string; description: string }

/** Longer than that nobody waits for a suggestion. */
const timeoutMs = 1500

/** The candidates for the last of `words`, which may be empty or begun; nothing where none is known. */
export async function complete(io: Io, program: Command, words: string[]): Promise<Candidate[]> {
  const [begun = '', ...before] = withoutEqualSigns(words).reverse()
  const { command, value, operands } = place(program, before.reverse())
  const all = await candidates(io, command, { begun, value, operands })
  return all.filter(({ name }) => name.startsWith(begun))
}

/** bash takes `--option=value` apart into three words. */
function withoutEqualSigns(words: string[]): string[] {
  const apart = words.at(-1) === '=' ? [...words, ''] : words
  return apart.filter((word) => word !== '=')
}

type Place = {
  command: Command
  /** The option whose value comes next. */
  value: Option | undefined
  /** How many arguments of the command are there already. */
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

/** The options of the command and of those above it; a group of commands also takes those of its `ls`. */
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

/** The names of the team's first projects or domains; none when the server can't be asked. */
async function known(io: Io, kind: 'project' | 'domain'): Promise<Candidate[]> {
  try {
    const { api } = connect(io, {})
    const options = { signal: AbortSignal.timeout(timeoutMs) }
    const names =
      kind === 'project'
        ? (await api.projects.list.query({ limit: 100 }, options)).data.map(({ name }) => name)
        : (await api.domains.list.query({ limit: 100 }, options)).data.map(({ domain }) => domain)
    // Nothing that a shell would read as more than a word.
    return names.filter((name) => /^[a-z0-9.-]+$/.test(name)).map((name) => ({ name, description: kind }))
  } catch {
    return []
  }
}
