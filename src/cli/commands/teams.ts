/** `svc teams`: your teams and invitations. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { globalOptions, type Io } from '../io.ts'
import { plain, write, writeJson, writeTable } from '../terminal/output.ts'
import { age } from '../terminal/shown.ts'

const examples = `
Examples:
  $ svc teams
  $ svc teams invitations
  $ svc teams accept acme

An API key lists its own team only. Invitations need an owner key of your personal team.`

/** The command `svc teams` and its subcommands. */
export function teamsCommand(io: Io): Command {
  return new Command('teams')
    .description('list teams; accept or decline an invitation to one')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list teams by slug (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
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
    teams.map(({ slug, name, role, plan }) => [slug, name, role, plan]),
    'No teams that you may see.',
  )
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
  write(io, `You are in team ${plain(team.slug)} as ${team.role}.`)
}

async function decline(io: Io, reference: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const declined = await api.teams.declineInvitation.mutate({ team: reference })
  if (options.json) return writeJson(io, declined)
  write(io, `Declined the invitation to team ${plain(declined.team)}.`)
}
