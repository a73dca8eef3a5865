/** `svc share`: links that open protected sites. */
import { Command } from 'commander'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { connect } from '../connection/connect.ts'
import { durationOption } from '../durations.ts'
import { globalOptions, type Io } from '../io.ts'
import { age } from '../terminal/format.ts'
import { makerText } from '../terminal/maker.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc share web
  $ svc share web-0a1b2c3d4e5f.svc.example.com --expires 30d
  $ svc share ls web
  $ svc share rm web lnk_...

Whoever has a link may see that one host until the link ends, or is revoked. The sites that require one are
chosen with \`svc projects set <project> --protection preview\`, or all.`

type Options = { expires?: number }

/** The command `svc share` and its subcommands. */
export function shareCommand(io: Io): Command {
  return new Command('share')
    .description('make a link that opens a protected site; list links, or revoke one')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('add')
        .description('make a link, and print it: it is printed only once (also without add)')
        .argument('<project-or-host>', "a project, for its production, or a host's name or address")
        .addOption(
          durationOption('--expires <time>', 'how long it opens the site, at most 90d (default: 7d)'),
        )
        .action((where: string, options: Options, command: Command) => add(io, where, options, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('ls')
        .description('list the links of a project, newest first')
        .argument('<project>', 'its name or id')
        .action((project: string, _options, command: Command) => list(io, project, command)),
    )
    .addCommand(
      new Command('rm')
        .description(
          'revoke a link; who came with a link of the project is out, and comes back with another one',
        )
        .argument('<project>', 'its name or id')
        .argument('<link>', 'its id')
        .action((project: string, link: string, _options, command: Command) =>
          revoke(io, { project, id: link }, command),
        ),
    )
}

async function add(io: Io, where: string, { expires }: Options, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const link = await api.links.create.mutate({
    ...placeOf(where),
    ...(expires !== undefined && { expires_ms: Date.now() + expires }),
  })
  if (options.json) return writeJson(io, link)
  const until = new Date(link.expires_ms).toISOString()
  warn(io, `A link to ${link.host}, until ${until}. It is printed only once; ${link.id} revokes it.`)
  if (link.open) {
    const command = `svc projects set ${link.project} --protection all`
    warn(io, `${link.host} is open: everybody sees it without the link, too. \`${command}\` changes that.`)
  }
  write(io, link.url)
}

/** Names of projects have no dot, and those of hosts have one. */
function placeOf(where: string): { host: string } | { project: string } {
  const url = where.includes('://') ? parseUrl(where) : undefined
  if (url) return { host: url.host }
  return where.includes('.') ? { host: where } : { project: where }
}

async function list(io: Io, project: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { data } = await api.links.list.query({ project })
  if (options.json) return writeJson(io, data)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'HOST', 'ENDS', 'CREATED', 'BY'],
    data.map((link) => [
      link.id,
      link.host,
      new Date(link.expires_ms).toISOString(),
      age(link.created_ms, nowMs),
      makerText(link),
    ]),
    `${project} has no share links.`,
  )
}

async function revoke(io: Io, link: { project: string; id: string }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const revoked = await api.links.revoke.mutate(link)
  if (options.json) return writeJson(io, revoked)
  write(io, `Revoked ${link.id}.`)
}
