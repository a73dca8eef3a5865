/** `svc hooks`: addresses with which other systems have a project deployed again. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { globalOptions, type Io } from '../io.ts'
import { age } from '../terminal/format.ts'
import { makerText } from '../terminal/maker.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc hooks ls web
  $ svc hooks add web "Articles of the CMS" > address.txt
  $ svc hooks add web staging --branch next
  $ svc hooks rm web dhk_...
  $ curl -X POST <address>

A POST to the address builds what is live again, or the branch's newest deployment, with the variables of
today. Whoever has the address may do that, and nothing else, until the hook is revoked.`

type Options = { branch?: string }

/** The command `svc hooks` and its subcommands, for owners. */
export function hooksCommand(io: Io): Command {
  return new Command('hooks')
    .description('list the deploy hooks of a project; make or revoke one')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list the deploy hooks of a project, newest first (also without ls)')
        .argument('<project>', 'its name or id')
        .action((project: string, _options, command: Command) => list(io, project, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('add')
        .description('make a deploy hook, and print its address: it is printed only once')
        .argument('<project>', 'its name or id')
        .argument('<name>', 'any label')
        .option('--branch <branch>', "build this branch's newest deployment again (default: what is live)")
        .action((project: string, name: string, options: Options, command: Command) =>
          add(io, { project, name, ...options }, command),
        ),
    )
    .addCommand(
      new Command('rm')
        .description('revoke a deploy hook at once')
        .argument('<project>', 'its name or id')
        .argument('<hook>', 'its id')
        .action((project: string, hook: string, _options, command: Command) =>
          revoke(io, { project, id: hook }, command),
        ),
    )
}

async function list(io: Io, project: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { data } = await api.hooks.list.query({ project })
  if (options.json) return writeJson(io, data)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'NAME', 'BUILDS', 'USED', 'CREATED', 'BY'],
    data.map((hook) => [
      hook.id,
      hook.name,
      hook.branch ?? 'what is live',
      hook.last_used_ms === 0 ? 'never' : `${age(hook.last_used_ms, nowMs)} ago`,
      age(hook.created_ms, nowMs),
      makerText(hook),
    ]),
    `${project} has no deploy hooks.`,
  )
}

async function add(
  io: Io,
  { branch, ...hook }: Options & { project: string; name: string },
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const made = await api.hooks.create.mutate({ ...hook, ...(branch !== undefined && { branch }) })
  if (options.json) return writeJson(io, made)
  warn(io, `A deploy hook, ${made.id}. Its address is printed only once: store it safely.`)
  write(io, made.url)
}

async function revoke(io: Io, hook: { project: string; id: string }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const revoked = await api.hooks.revoke.mutate(hook)
  if (options.json) return writeJson(io, revoked)
  write(io, `Revoked ${hook.id}.`)
}
