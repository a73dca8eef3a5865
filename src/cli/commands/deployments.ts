/** `svc deployments`: lists, shows and removes deployments. */
import { Command } from 'commander'
import type { RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { forgeLinks } from '../../lib/forge-links.ts'
import { warningText } from '../../lib/warning-text.ts'
import { connect } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { projectOfList } from '../connection/project-of-list.ts'
import { globalOptions, type Io } from '../io.ts'
import { countOption, targetOption } from '../options.ts'
import { confirm } from '../terminal/confirm.ts'
import { age, size } from '../terminal/format.ts'
import { write, writeFields, writeJson, writeTable } from '../terminal/output.ts'

type Deployment = RouterOutputs['deployments']['get']
type Filters = Pick<RouterInputs['deployments']['list'], 'project' | 'state' | 'target' | 'branch'>
type ListOptions = Filters & { all?: boolean; limit: number }

const examples = `
Examples:
  $ svc deployments
  $ svc deployments --project web --target production --limit 5
  $ svc deployments --state ready,error --json
  $ svc deployments show dpl_...
  $ svc deployments rm dpl_...

\`svc deployments ls --help\` describes the options of the list.`

/** The command `svc deployments` and its subcommands. */
export function deploymentsCommand(io: Io): Command {
  return new Command('deployments')
    .description('list deployments; show or remove one')
    .addHelpText('afterAll', examples)
    .addCommand(listCommand(io), { isDefault: true })
    .addCommand(
      new Command('show')
        .description('show a deployment')
        .argument('<deployment>', 'its id')
        .action((id: string, _options, command: Command) => show(io, id, command)),
    )
    .addCommand(
      new Command('rm')
        .description('cancel a deployment in progress, or delete one that is not live')
        .argument('<deployment>', 'its id')
        .option('--yes', 'skip the confirmation')
        .action((id: string, options: { yes?: boolean }, command: Command) =>
          remove(io, id, options, command),
        ),
    )
}

function listCommand(io: Io): Command {
  return new Command('ls')
    .description('list deployments, newest first (also without ls)')
    .option('--project <name>', 'only those of this project (default: the one in svc.json, if there is one)')
    .option('--all', "those of all of the team's projects, also where svc.json names one")
    .option('--state <states>', 'only those in one of: queued,building,ready,error,canceled')
    .addOption(targetOption('only those for production or preview'))
    .option('--branch <name>', 'only those made from this branch')
    .addOption(countOption('--limit <count>', 'how many at most').default(20))
    .action((options: ListOptions, command: Command) => list(io, options, command))
}

async function list(io: Io, { limit, all, ...rest }: ListOptions, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api, linked } = connectLinked(io, options, { project: rest.project })
  const project = projectOfList(io, linked, { named: rest.project, all, as: '--project' })
  const filters: Filters = { ...rest, ...(project !== undefined && { project }) }
  const pages = everyPage((cursor) =>
    api.deployments.list.query({ ...filters, limit: Math.min(limit, 100), ...cursor }),
  )
  // In the same request: an unknown project has no deployments, which would look like success.
  const known = project === undefined ? undefined : api.projects.get.query({ project })
  const [deployments] = await Promise.all([firstRows(pages, limit), known])
  if (options.json) return writeJson(io, deployments)
  const nowMs = Date.now()
  writeTable(
    io,
    ['ID', 'PROJECT', 'TARGET', 'STATE', 'AGE', 'SIZE', 'URL', 'BY'],
    deployments.map((row) => [
      row.id,
      row.project,
      row.target,
      row.live ? 'live' : row.state,
      age(row.created_ms, nowMs),
      size(row.bytes),
      row.url,
      // Unknown to a server of an earlier version.
      row.created_by_name || '-',
    ]),
    'No deployments match.',
  )
}

async function show(io: Io, id: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const deployment = await api.deployments.get.query({ deployment: id })
  if (options.json) return writeJson(io, deployment)
  writeFields(io, fieldsOf(deployment))
}

function fieldsOf(deployment: Deployment): [string, string][] {
  const time = (ms: number) => new Date(ms).toISOString()
  // A server of an earlier version has no warnings.
  const { error, live_since_ms: liveSinceMs, expires_ms: expiresMs, warnings = [] } = deployment
  const { commit, pullRequest } = forgeLinks(deployment.meta)
  return [
    ['id', deployment.id],
    ['project', deployment.project],
    ['target', deployment.target],
    ['state', deployment.state],
    ...(error ? [error.message, ...(error.excerpt ?? [])] : []).map((line): [string, string] => [
      'error',
      line,
    ]),
    ['url', deployment.url],
    ...deployment.aliases.map((alias): [string, string] => ['alias', alias]),
    ['live', deployment.live && liveSinceMs !== null ? `since ${time(liveSinceMs)}` : 'no'],
    ...serverFields(deployment),
    ['size', `${size(deployment.bytes)} in ${deployment.files} ${deployment.files === 1 ? 'file' : 'files'}`],
    ['created', `${time(deployment.created_ms)}${byWhom(deployment)}`],
    ...(commit === undefined ? [] : [['commit', commit] satisfies [string, string]]),
    ...(pullRequest === undefined ? [] : [['pull request', pullRequest] satisfies [string, string]]),
    ...(expiresMs === null ? [] : [['expires', time(expiresMs)] satisfies [string, string]]),
    ...warnings.map((warning): [string, string] => ['warning', warningText(warning)]),
    ...Object.entries(deployment.meta).map(([key, value]): [string, string] => [`meta.${key}`, value]),
  ]
}

/** Its server, if it has one; a server of an earlier version says nothing of it. */
function serverFields({ server }: Partial<Deployment>): [string, string][] {
  if (!server) return []
  const { state, command, node, memory_bytes: memory, restarts } = server
  const facts = [
    state,
    ...(memory === null ? [] : [size(memory)]),
    ...(restarts === 0 ? [] : [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`]),
  ]
  return [
    ['server', facts.join(', ')],
    ['command', command],
    ['node', node],
  ]
}

/** By whom and by what; a server of an earlier version says neither. */
function byWhom({ created_by_name: name, source, redeploy_of: from }: Partial<Deployment>): string {
  const by = name ? ` by ${name}` : ''
  if (!source) return by
  if (source.kind === 'hook') return `${by}, by the deploy hook ${source.name}, from ${from}`
  if (source.kind === 'redeploy') return `${by}, from ${from}`
  if (source.kind === 'oidc') return `${by}, by ${source.name} without a key`
  if (source.kind === 'forge') return `${by}, by a push to ${source.name}`
  const key = source.name === null ? '' : ` (key ${source.name})`
  return `${by}, with ${ways[source.kind] ?? `the ${source.kind}`}${key}`
}

const ways: Partial<Record<string, string>> = { api: 'the API', git: 'git push' }

async function remove(io: Io, id: string, { yes }: { yes?: boolean }, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { project, url } = await api.deployments.get.query({ deployment: id })
  if (!yes) await confirm(io, `Remove deployment ${url} of ${project}?`)
  const removed = await api.deployments.delete.mutate({ deployment: id })
  if (options.json) return writeJson(io, removed)
  write(io, 'deleted' in removed ? `Deleted ${url}.` : `Canceled ${url}.`)
}
