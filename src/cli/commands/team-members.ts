/** `svc teams members`: who is in a team, and changes of that. */
import { isTRPCClientError } from '@trpc/client'
import { Command, Option } from 'commander'
import type { AppRouter, RouterOutputs } from '../../api/client/index.ts'
import { usageFailure } from '../command-failure.ts'
import { type Api, connect } from '../connection/connect.ts'
import { everyPage } from '../connection/every-page.ts'
import { pickTeam } from '../connection/pick-team.ts'
import { globalOptions, type Io } from '../io.ts'
import { confirm } from '../terminal/confirm.ts'
import { age } from '../terminal/format.ts'
import { leavingLines } from '../terminal/leaving.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

type Team = RouterOutputs['teams']['get']
type Leaving = RouterOutputs['teams']['leaving']
type Member = Pick<Team['members'][number], 'email' | 'role'>
/** `projects` left out keeps what is, null lifts the limit. */
type Wanted = Member & { projects?: string[] | null }
/** `projects` is false with `--no-projects`. */
type Limit = { projects?: string | false; allProjects?: true }
type Options = Limit & { add?: string; remove?: string; role: 'member' | 'owner'; link?: true; yes?: true }

const examples = `
Examples:
  $ svc teams members
  $ svc teams members --add grace@example.com
  $ svc teams members acme --add ada@example.com --role owner
  $ svc teams members --add grace@example.com --projects web,docs
  $ svc teams members --add grace@example.com --link
  $ svc teams members --remove grace@example.com

Who is added is invited, and joins by accepting; for somebody who is there already, --add changes the role,
and with --projects or --all-projects the limit.
With --link a new account joins; it works once, for seven days, and another replaces it. Send it yourself.`

/** The command `svc teams members`. */
export function membersCommand(io: Io): Command {
  return new Command('members')
    .description('list the members of a team; add or remove one')
    .argument('[team]', "its slug or id (default: the key's own)")
    .addOption(new Option('--add <email>', 'invite this person').conflicts('remove'))
    .addOption(
      new Option('--role <role>', 'with --add: the role').choices(['member', 'owner']).default('member'),
    )
    .addOption(
      new Option(
        '--link',
        'with --add: print a link with which the person makes an account and joins',
      ).conflicts('remove'),
    )
    .addOption(
      new Option('--projects <list>', 'with --add: limit a member to these, by names with commas').conflicts([
        'remove',
        'allProjects',
      ]),
    )
    .option('--no-projects', 'with --add: limit a member to none for now')
    .addOption(new Option('--all-projects', 'with --add: lift the limit').conflicts('remove'))
    .option('--remove <email>', 'remove this person, with whom keys, links and hooks of theirs end')
    .option('--yes', 'with --remove: skip the confirmation')
    .addHelpText('after', examples)
    .action((reference: string | undefined, options: Options, command: Command) =>
      members(io, reference, options, command),
    )
}

async function members(
  io: Io,
  reference: string | undefined,
  { add, remove, role, link, yes, ...limit }: Options,
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const projects = wantedProjects(limit)
  if (projects !== undefined && add === undefined) {
    throw usageFailure('A limit needs --add with the address of the member.')
  }
  const { api } = connect(io, options)
  const email = (add ?? remove)?.toLowerCase()
  if (link && email === undefined) throw usageFailure('--link is for --add <email>.')
  let team = await pickTeam(api, reference)
  if (email !== undefined) {
    const limited = projects === undefined ? {} : { projects }
    const wanted = changed(team, email, add === undefined ? undefined : { role, ...limited })
    if (remove !== undefined && !yes) await confirmRemoval(io, api, team, email)
    // Refused if somebody else has changed the list since it was read.
    team = await api.teams.put.mutate({ team: team.id, members: wanted, updated_ms: team.updated_ms })
    if (!options.json) warn(io, doneTo(team, email, add))
  }
  if (link && email !== undefined) {
    const made = await api.invitationLinks.create.mutate({ team: team.id, email })
    if (options.json) return writeJson(io, made)
    const until = new Date(made.expires_ms).toISOString()
    warn(io, `This link makes an account for ${email}, in the team. It works once, until ${until}:`)
    return write(io, made.url)
  }
  if (options.json) return writeJson(io, team.members)
  const nowMs = Date.now()
  const nameOf = await projectNames(api, team)
  writeTable(
    io,
    ['EMAIL', 'NAME', 'ROLE', 'JOINED', 'PROJECTS'],
    team.members.map((member) => [
      member.email ?? '-',
      member.name ?? '',
      member.role,
      member.joined_ms === null ? 'invited' : `${age(member.joined_ms, nowMs)} ago`,
      // Servers of earlier versions have no limits.
      member.projects ? member.projects.map(nameOf).sort().join(',') || 'none' : 'all',
    ]),
    'No members.',
  )
}

/**
 * Says what ends with a member and what goes on, and where anything ends, asks first.
 * @throws Failure as `confirm` does.
 */
async function confirmRemoval(io: Io, api: Api, { id, slug, members }: Team, email: string): Promise<void> {
  const member = members.find((each) => each.email === email)
  if (!member || member.joined_ms === null) return
  const { ending, staying } = leavingLines(await leavingWith(api, { team: id, email }))
  if (ending.length > 0) warn(io, `With ${email} these end:`)
  for (const line of ending) warn(io, `  ${line}`)
  if (staying.length > 0) warn(io, `These go on in the name of ${email}:`)
  for (const line of staying) warn(io, `  ${line}`)
  if (ending.length === 0) return
  await confirm(io, `Remove ${email} from ${slug}?`)
}

/** Servers of earlier versions don't say. */
async function leavingWith(api: Api, member: { team: string; email: string }): Promise<Partial<Leaving>> {
  try {
    return await api.teams.leaving.query(member)
  } catch (error) {
    if (isTRPCClientError<AppRouter>(error) && error.data?.code === 'NOT_FOUND') return {}
    throw error
  }
}

/** Undefined if no option says anything; null for all. @throws Failure (2) for an empty list. */
function wantedProjects({ projects, allProjects }: Limit): string[] | null | undefined {
  if (allProjects) return null
  if (projects === undefined) return undefined
  if (projects === false) return []
  const names = projects.split(',').flatMap((name) => name.trim() || [])
  if (names.length === 0) throw usageFailure('--projects names none: for none at all send --no-projects.')
  return names
}

/** Gives the names of those projects that limits are about. */
async function projectNames(api: Api, { members }: Team): Promise<(id: string) => string> {
  const names = new Map<string, string>()
  if (members.some(({ projects }) => projects?.length)) {
    const pages = everyPage((cursor) => api.projects.list.query({ limit: 100, ...cursor }))
    for await (const { id, name } of pages) names.set(id, name)
  }
  return (id) => names.get(id) ?? id
}

/** The list with the person so, or without. @throws Failure (2) for somebody who isn't there. */
function changed(
  { slug, members }: Team,
  email: string,
  person: Omit<Wanted, 'email'> | undefined,
): Wanted[] {
  if (person === undefined && !members.some((member) => member.email === email)) {
    throw usageFailure(`${email} is not in team ${slug}.`)
  }
  const others = members.filter((member) => member.email !== email)
  const withAddress = others
    .filter((member) => member.email !== null)
    .map(({ email, role }) => ({ email, role }))
  return [...withAddress, ...withoutAddress(others), ...(person === undefined ? [] : [{ email, ...person }])]
}

/**
 * One entry stands for all of them.
 * @throws Failure (2) where they have different roles, which it can't say.
 */
function withoutAddress(members: Member[]): Member[] {
  const roles = new Set(members.filter((member) => member.email === null).map(({ role }) => role))
  if (roles.size > 1) {
    throw usageFailure(
      'Members without an email address have different roles here: use PUT /v1/teams/{team}.',
    )
  }
  return [...roles].map((role) => ({ email: null, role }))
}

/** Whoever hasn't joined yet is a member only with their own consent. */
function doneTo({ members }: Team, email: string, add: string | undefined): string {
  if (add === undefined) return `Removed ${email}.`
  const isMember = members.some((each) => each.email === email && each.joined_ms !== null)
  return isMember ? `Changed ${email}.` : `Invited ${email}.`
}
