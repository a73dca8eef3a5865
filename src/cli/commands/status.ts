/** `svc status`: the server, the caller, and the team's resources, on one screen. */
import { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { Failure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { healthOf, type Readiness, readiness } from '../connection/readiness.ts'
import { exitCodes } from '../exit-codes.ts'
import { globalOptions, type Io } from '../io.ts'
import { age, count, size } from '../terminal/format.ts'
import { write, writeFields, writeJson, writeTable } from '../terminal/output.ts'

type Overview = RouterOutputs['observability']['overview']

const examples = `
Examples:
  $ svc status
  $ svc status --json | jq .overview.rate_limit
  $ svc status > /dev/null || echo "not now"

It exits with 6 when the server is not ready. If the output is no terminal, the lines of recent deployments
come last.`

/** The command `svc status`. */
export function statusCommand(io: Io): Command {
  return new Command('status')
    .description('show the state of the server, who you are, and what your team has')
    .addHelpText('after', examples)
    .action(async (_options, command: Command) => {
      const options = globalOptions(command)
      const { api, url } = await connect(io, options)
      const overviewCall = api.observability.overview.query({})
      const [node, [answer]] = await Promise.all([readiness(io, url), Promise.allSettled([overviewCall])])
      // A server that isn't ready may fail other requests; /readyz has the reason.
      if (node.ready && answer.status === 'rejected') throw answer.reason
      const overview = answer.status === 'fulfilled' ? answer.value : null
      if (options.json) writeJson(io, { url, node, overview })
      else show(io, url, node, overview)
      if (!node.ready) throw notReady(url, node)
    })
}

function notReady(url: string, node: Readiness): Failure {
  const message = `${url} is ${healthOf(node)}.`
  return new Failure(exitCodes.unavailable, { reason: 'not_ready', message })
}

function show(io: Io, url: string, node: Readiness, overview: Overview | null): void {
  writeFields(io, [
    ['server', `${url} (version ${node.version})`],
    ['health', healthOf(node)],
    ...(node.alerts ?? []).map(({ message }): [string, string] => ['alert', message]),
    ...nodeFieldsOf(node),
    ...(overview ? fieldsOf(overview) : []),
  ])
  if (!overview || overview.recent_deployments.length === 0) return
  if (io.stdout.isTTY) write(io, '')
  const nowMs = Date.now()
  writeTable(
    io,
    ['RECENT', 'PROJECT', 'TARGET', 'STATE', 'AGE', 'URL'],
    overview.recent_deployments.map(({ id, project, target, state, live, created_ms: createdMs, url }) => [
      ...[id, project, target, live ? 'live' : state],
      ...[age(createdMs, nowMs), url],
    ]),
    '',
  )
}

function nodeFieldsOf(node: Readiness): [string, string][] {
  const { disk_space: disk, next_certificate: certificate, backup } = node
  const last = backup?.last
  return [
    ...(disk ? [row('disk', `${disk.free_percent} % free (${size(disk.free_bytes)}), ${disk.path}`)] : []),
    ...(certificate
      ? [row('certificates', `the first expires ${dateOf(certificate.expires_ms)}, ${certificate.place}`)]
      : []),
    ...(last ? [row('backup', `${age(last.finished_ms, Date.now())}, ${size(last.bytes)}`)] : []),
    ...(backup && !last ? [row('backup', 'none yet')] : []),
  ]
}

function row(name: string, text: string): [string, string] {
  return [name, text]
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

function fieldsOf({ credential, rate_limit: limit, ...overview }: Overview): [string, string][] {
  const { kind, prefix, role, expires_ms: expiresMs } = credential
  const until = expiresMs === null ? '' : ` until ${new Date(expiresMs).toISOString()}`
  const { deployments, domains } = overview
  const states = Object.entries(deployments.by_state).filter(([, each]) => each > 0)
  const byState = states.map(([state, each]) => `${count(each)} ${state}`).join(', ')
  return [
    ['team', `${overview.team} (${overview.plan})`],
    ['you', `${role}, with a ${kind}${prefix === null ? '' : ` ${prefix}`}${until}`],
    [
      'rate limit',
      `${count(limit.remaining)} of ${count(limit.burst)} left, ${count(limit.per_second)}/s refill`,
    ],
    ['projects', count(overview.projects)],
    ['deployments', byState === '' ? '0' : `${count(deployments.total)}: ${byState}`],
    ['domains', `${count(domains.total)}, ${count(domains.verified)} verified`],
    ['webhooks', count(overview.webhooks)],
    ['traffic', trafficOf(overview)],
  ]
}

type Traffic = Pick<Overview, 'requests_24h' | 'bytes_24h' | 'errors_24h'>

function trafficOf({ requests_24h: requests, bytes_24h: bytes, errors_24h: errors }: Traffic): string {
  return `${count(requests)} requests in 24 h, ${size(bytes)}, ${count(errors)} of them failed`
}
