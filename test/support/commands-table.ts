/** The table of the commands of `svc`, generated from the commands themselves. */
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'

/** Markdown, a row per command that has something to do. */
export async function commandsTable(): Promise<string> {
  const { env, stdin, stdout, stderr } = process
  const program = await createProgram({ env, stdin, stdout, stderr, signal: AbortSignal.abort() })
  const rows = visible(program).flatMap((command) => rowsOf(command, 'svc'))
  return ['| Command | What it does | Options |', '|---|---|---|', ...rows].join('\n')
}

/** Without those for the program's own use. */
function visible({ commands }: Command): Command[] {
  return [...commands].filter((command) => !command.name().startsWith('_') && command.name() !== 'help')
}

function rowsOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`
  const flags = command.options.filter(({ hidden }) => !hidden).map(({ flags: each }) => `\`${cell(each)}\``)
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(' ')
  const own = `| \`${cell(usage)}\` | ${cell(command.description())} | ${flags.join(', ')} |`
  return [own, ...visible(command).flatMap((each) => rowsOf(each, name))]
}

function argumentText(argument: Command['registeredArguments'][number]): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${text}>` : `[${text}]`
}

/** Markdown takes a bar for the end of a cell, also in code. */
function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|')
}
