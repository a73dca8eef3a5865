/** `svc teams`: your teams and invitations. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { pickTeam } from '../connection/pick-team.ts'
import { globalOptions, type Io } from '../io.ts'
import { age } from '../terminal/format.ts'
import { warn, write, writeFields, writeJson, writeTable } from '../terminal/output.ts'
import { membersCommand } from './team-members.ts'

const examples = `
Examples:
  $ svc teams
  $ svc teams add acme > key.txt
  $ svc teams members --add grace@example.com
  $ svc teams invitations
  $ svc teams accept acme

An API key lists its own team only. Invitations need an owner key of your personal team.`

/** The command `svc teams` and its subcommands. */
export function teamsCommand(io: Io): Command {
  return new Command('teams')
    .description('list teams; add or show one, change its members, answer an invitation')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list teams by slug (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('add')
        .description('create a team, and print an owner key of it, which is printed only once')
        .argument('<slug>', 'a DNS label: a-z, 0-9 and - inside')
        .option('--name <name>', 'any label (default: the slug)')
        .action((slug: string, options: { name?: string }, command: Command) =>
          add(io, slug, options, command),
        ),
    )
    .addCommand(
      new Command('show')
        .description('show a team')
        .argument('[team]', "its slug or id (default: the key's own)")
        .action((team: string | undefined, _options, command: Command) => show(io, team, command)),
    )
    .addCommand(membersCommand(io))
    .addCommand(
      new Command('invitations')
        .description('list your invitations, newest first')
        .action((_options, command: Command) => listInvitations(io, command)),
    )
    .addCommand(
      new Command('accept')
        .description('accept an invitation to a team')
        .argument('<team>', 'its slug or id')
        .action((team: string, _options, command: Command) => accept(io, team, command)),
    )
    .addCommand(
      new Command('decline')
        .description('decline an invitation to a team')
        .argument('<team>', 'its slug or id')
        .action((team: string, _options, command: Command) => decline(io, team, command)),
    )
}

async function list(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const teams = await firstRows(everyPage((cursor) => api.teams.list.query({ limit: 100, ...cursor })))
  if (options.json) return writeJson(io, teams)
  writeTable(
    io,
    ['SLUG', 'NAME', 'ROLE', 'PLAN'],
    teams.map(({ slug, name, role, limited, plan }) => [
      slug,
      name,
      limited ? `${role}, limited` : role,
      plan,
    ]),
    'No teams that you may see.',
  )
}

async function add(io: Io, slug: string, { name }: { name?: string }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const team = await api.teams.put.mutate({ team: slug, ...(name !== undefined && { name }) })
  if (options.json) return writeJson(io, team)
  if (team.api_key === undefined) return warn(io, `Team ${team.slug} exists.`)
  warn(io, `Created team ${team.slug}. Its owner key is printed only once: store it safely.`)
  write(io, team.api_key)
}

async function show(io: Io, reference: string | undefined, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const team = await pickTeam(api, reference)
  if (options.json) return writeJson(io, team)
  writeFields(io, [
    ['slug', team.slug],
    ['id', team.id],
    ['name', team.name],
    ['plan', team.plan],
    ['personal', team.personal ? 'yes' : 'no'],
    ['your role', team.limited ? `${team.role}, limited to some projects` : team.role],
    ['members', String(team.members.length)],
    ['created', new Date(team.created_ms).toISOString()],
  ])
}

async function listInvitations(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const invitations = await firstRows(
    everyPage((cursor) => api.teams.invitations.query({ limit: 100, ...cursor })),
  )
  if (options.json) return writeJson(io, invitations)
  const nowMs = Date.now()
  writeTable(
    io,
    ['TEAM', 'NAME', 'ROLE', 'AGE'],
    invitations.map(({ team, name, role, created_ms }) => [team, name, role, age(created_ms, nowMs)]),
    'No invitations.',
  )
}

async function accept(io: Io, reference: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const team = await api.teams.acceptInvitation.mutate({ team: reference })
  if (options.json) return writeJson(io, team)
  write(io, `You are in team ${team.slug} as ${team.role}.`)
}

async function decline(io: Io, reference: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const declined = await api.teams.declineInvitation.mutate({ team: reference })
  if (options.json) return writeJson(io, declined)
  write(io, `Declined the invitation to team ${declined.team}.`)
}
