/** Completion candidates, from the command tree and the server. */
import type { Argument, Command, Option } from 'commander'
import { type Candidate, namesFor } from './completion/candidate-names.ts'
import type { Io } from './io.ts'

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
  /** The arguments that the command already has. */
  operands: string[]
}

function place(program: Command, words: string[]): Place {
  let at: Place = { command: program, value: undefined, operands: [] }
  for (const word of words) {
    const { command } = at
    const below = command.commands.find((each) => each.name() === word)
    if (at.value) at = { ...at, value: undefined }
    else if (word.startsWith('-'))
      at = { ...at, value: options(command).find((each) => each.long === word && takesValue(each)) }
    else if (below) at = { command: below, value: undefined, operands: [] }
    else at = { ...at, operands: [...at.operands, word] }
  }
  return at
}

async function candidates(
  io: Io,
  command: Command,
  { begun, value, operands }: Omit<Place, 'command'> & { begun: string },
): Promise<Candidate[]> {
  if (value) return valuesOf(io, value, value.long?.slice(2) ?? '', operands)
  if (begun.startsWith('-')) {
    return options(command).map(({ long, description }) => ({ name: long ?? '', description }))
  }
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined)
  if (argument) return valuesOf(io, argument, argument.name(), operands)
  if (operands.length > 0) return []
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

async function valuesOf(
  io: Io,
  of: Option | Argument,
  name: string,
  operands: string[],
): Promise<Candidate[]> {
  const choices = of.argChoices?.map((choice) => ({ name: choice, description: '' }))
  return choices ?? namesFor(io, name, operands)
}
