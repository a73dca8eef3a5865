/** `svc projects password`: the password that opens a project's protected sites in a browser. */
import { Command } from 'commander'
import { usageFailure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { globalOptions, type Io } from '../io.ts'
import { confirm } from '../terminal/confirm.ts'
import { write, writeJson } from '../terminal/output.ts'
import { readSecret } from '../terminal/prompt.ts'

const examples = `
Examples:
  $ svc projects password web
  $ svc projects password web < password.txt
  $ svc projects password web --rm

At a terminal it prompts for the password, otherwise it reads standard input. It has at least 8 characters;
whoever came with the one before is out. The sites that require one are chosen with
\`svc projects set <project> --protection preview\`, or all.`

type Options = { rm?: boolean; yes?: boolean }

/** The command `svc projects password`. */
export function passwordCommand(io: Io): Command {
  return new Command('password')
    .description('set the password that opens protected sites in a browser')
    .argument('<project>', 'its name or id')
    .option('--rm', 'remove the password')
    .option('--yes', 'skip the confirmation of --rm')
    .addHelpText('after', examples)
    .action((project: string, options: Options, command: Command) =>
      setPassword(io, project, options, command),
    )
}

async function setPassword(io: Io, reference: string, { rm, yes }: Options, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { id, name } = await api.projects.get.query({ project: reference })
  if (rm && !yes) await confirm(io, `Remove the password of ${name}?`)
  const password = rm ? null : await readPassword(io, name)
  const saved = await api.projects.put.mutate({ project: id, password })
  if (options.json) return writeJson(io, { project: name, password_set: saved.password_set })
  write(io, saved.password_set ? `The password of ${name} is set.` : `${name} has no password.`)
}

async function readPassword(io: Io, name: string): Promise<string> {
  const password = withoutLineEnd(await readSecret(io, `New password of ${name}: `))
  if (password === '') throw usageFailure('No password on standard input.')
  if (io.stdin.isTTY && withoutLineEnd(await readSecret(io, 'Once more: ')) !== password)
    throw usageFailure('The two passwords are not the same.')
  return password
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}
