/** `svc projects bypass`: the secret that opens a project's protected sites. */
import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { globalOptions, type Io } from '../io.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

const secretBytes = 32

const examples = `
Examples:
  $ svc projects bypass web > secret.txt
  $ curl -H "x-svc-bypass: $(cat secret.txt)" <address of a preview>
  $ svc projects bypass web --rm

\`svc projects show\` says whether there is one; the server stores only its hash. The sites that require it
are chosen with \`svc projects set <project> --protection preview\`, or all.`

type Options = { rm?: boolean; yes?: boolean }

/** The command `svc projects bypass`. */
export function bypassCommand(io: Io): Command {
  return new Command('bypass')
    .description('make a new secret that opens protected sites, and print it; an earlier one ends')
    .argument('<project>', 'its name or id')
    .option('--rm', 'remove the secret')
    .option('--yes', 'skip the confirmation when there is one')
    .addHelpText('after', examples)
    .action((project: string, options: Options, command: Command) => bypass(io, project, options, command))
}

async function bypass(io: Io, reference: string, { rm, yes }: Options, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { id, name, bypass_set: isSet } = await api.projects.get.query({ project: reference })
  if (isSet && !yes) await confirm(io, `End the present bypass secret of ${name}?`)
  const secret = rm ? null : randomBytes(secretBytes).toString('base64url')
  await api.projects.put.mutate({ project: id, bypass_secret: secret })
  if (options.json) return writeJson(io, { project: name, bypass_secret: secret })
  if (secret === null) return write(io, `${name} has no bypass secret.`)
  warn(io, `A new bypass secret of ${name}. It is printed only once: store it safely.`)
  write(io, secret)
}
