/** `svc keys`: the team's API keys. */
import { isTRPCClientError } from '@trpc/client'
import { Command, Option } from 'commander'
import type { AppRouter, RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { failed } from '../command-failure.ts'
import { type Api, connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { durationOption } from '../durations.ts'
import { globalOptions, type Io } from '../io.ts'
import { confirm } from '../terminal/confirm.ts'
import { age } from '../terminal/format.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

type KeyDetails = RouterOutputs['tokens']['keyDetails']['data'][number]

type AddOptions = Required<Pick<RouterInputs['tokens']['createKey'], 'role'>> & {
  expires?: number
  project?: string[]
  readOnly?: true
}

const examples = `
Examples:
  $ svc keys
  $ svc keys add "deploy from CI" > key.txt
  $ svc keys add ops --role owner
  $ svc keys add "deploys of web" --project web --expires 90d
  $ svc keys add dashboard --read-only
  $ svc keys rm key_...`

/** The command `svc keys` and its subcommands. */
export function keysCommand(io: Io): Command {
  return new Command('keys')
    .description('list API keys; create or revoke one')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list API keys, newest first (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('add')
        .description('create an API key and print its token, which is printed only once')
        .argument('<name>', 'any label')
        .addOption(new Option('--role <role>', 'its role').choices(['member', 'owner']).default('member'))
        .addOption(durationOption('--expires <time>', 'after which time it ends by itself, at most 3650d'))
        .option(
          '--project <name or id>',
          'the only project that it sees; repeat it for more',
          (project: string, before: string[] = []) => [...before, project],
        )
        .option('--read-only', 'change nothing with it')
        .action((name: string, options: AddOptions, command: Command) => add(io, name, options, command)),
    )
    .addCommand(
      new Command('rm')
        .description('revoke an API key at once')
        .argument('<key>', 'its id')
        .option('--yes', 'skip the confirmation')
        .action((id: string, options: { yes?: boolean }, command: Command) =>
          revoke(io, id, options, command),
        ),
    )
}

async function list(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const [keys, details] = await Promise.all([
    firstRows(everyPage((cursor) => api.tokens.listKeys.query({ limit: 100, ...cursor }))),
    detailsOfKeys(api),
  ])
  const rows = keys.map((key) => ({ ...key, ...details.get(key.id) }))
  if (options.json) return writeJson(io, rows)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'NAME', 'ROLE', 'TOKEN', 'AGE', 'USED', 'BY', 'LIMITS'],
    rows.map((key) => [
      key.id,
      key.name,
      key.role,
      key.prefix,
      age(key.created_ms, nowMs),
      key.last_used_ms === 0 ? 'never' : `${age(key.last_used_ms, nowMs)} ago`,
      key.created_by_name || '-',
      limitsText(key, nowMs) || '-',
    ]),
    'No keys that you may see.',
  )
}

/** Who made each key, by the key's id; servers of earlier versions don't say. */
async function detailsOfKeys(api: Api): Promise<Map<string, KeyDetails>> {
  const details = everyPage((cursor) => api.tokens.keyDetails.query({ limit: 100, ...cursor }))
  try {
    return new Map((await firstRows(details)).map((key) => [key.id, key]))
  } catch (error) {
    if (isTRPCClientError<AppRouter>(error) && error.data?.code === 'NOT_FOUND') return new Map()
    throw error
  }
}

/** Such as `read only, web, api, ends in 12d`. Servers of earlier versions name no limits. */
function limitsText(key: Partial<KeyDetails>, nowMs: number): string {
  const { read_only: isReadOnly, projects, expires_ms: endsMs, expired } = key
  return [
    ...(isReadOnly ? ['read only'] : []),
    ...(projects ? [projects.length === 0 ? 'no project' : projects.join(', ')] : []),
    ...(endsMs ? [expired ? 'expired' : `ends in ${age(nowMs, endsMs)}`] : []),
  ].join(', ')
}

async function add(io: Io, name: string, given: AddOptions, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const key = await create(api, name, given)
  if (options.json) return writeJson(io, key)
  if (key.token === undefined) {
    throw failed(`The response with the token of ${key.id} was lost: revoke that key, and add another.`)
  }
  warn(io, `A new ${key.role} key of team ${key.team}, ${key.id}. It is printed only once: store it safely.`)
  write(io, key.token)
}

/** Without limits by the call that servers of earlier versions have, too. */
function create(api: Api, name: string, { role, expires, project, readOnly }: AddOptions) {
  if (expires === undefined && !project && !readOnly) return api.tokens.createKey.mutate({ name, role })
  return api.tokens.createLimitedKey.mutate({
    name,
    role,
    ...(expires !== undefined && { expires_ms: Date.now() + expires }),
    ...(project && { projects: project }),
    ...(readOnly && { read_only: true }),
  })
}

async function revoke(io: Io, id: string, { yes }: { yes?: boolean }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api, token } = connect(io, options)
  const found = yes ? undefined : await findKey(api, id)
  if (found) {
    const own = token?.startsWith(found.prefix.replace(/…$/, '')) ? ' It is the one in use now.' : ''
    await confirm(io, `Revoke ${found.id}, ${found.name}?${own}`)
  }
  const revoked = await api.tokens.revokeKey.mutate({ key: id })
  if (options.json) return writeJson(io, revoked)
  write(io, `Revoked ${revoked.id}.`)
}

/** The key with this id; undefined if the caller sees none. */
async function findKey(api: Api, id: string) {
  for await (const key of everyPage((cursor) => api.tokens.listKeys.query({ limit: 100, ...cursor }))) {
    if (key.id === id) return key
  }
  return undefined
}
