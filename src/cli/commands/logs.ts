/** `svc logs`: output of builds and servers, requests to sites, what came by git, and audit events. */
import { Command, Option } from 'commander'
import type { Api } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { projectOfList } from '../connection/project-of-list.ts'
import { sinceOption } from '../durations.ts'
import { globalOptions, type Io } from '../io.ts'
import { followLines, isBefore, type LogFilters, type LogLine } from '../logs/follow-lines.ts'
import { writeLine } from '../logs/write-line.ts'
import { countOption } from '../options.ts'
import { safeJson, warn, write, writeJson } from '../terminal/output.ts'

type Filters = Pick<LogFilters, 'project' | 'deployment' | 'kind' | 'level' | 'status' | 'host'>
type Options = Filters & { all?: boolean; query?: string; since?: number; lines: number; follow?: boolean }

const examples = `
Examples:
  $ svc logs --project web --since 1h
  $ svc logs --deployment dpl_... --kind build -n 1000
  $ svc logs --kind audit -q promoted
  $ svc logs --kind request --project web -f
  $ svc logs --kind runtime --project web -f
  $ svc logs --kind git --project web
  $ svc logs --status 404 --since 1d
  $ svc logs --status 5xx -f
  $ svc logs --level error -f
  $ svc logs -f --json | jq .message

With -f, --json prints one JSON document per line. At a terminal a line is: time, level, project, message;
otherwise, separated by tabs: time, level, kind, project, message. The message of an audit event begins with
the name of who did it, which -q does not search; with --json that is actor_name in its fields.`

/** The command `svc logs`. */
export function logsCommand(io: Io): Command {
  return new Command('logs')
    .description(
      'show the log: output of builds and servers, requests to sites, what came by git, and audit events',
    )
    .option('--project <name>', 'only lines of this project (default: the one in svc.json, if there is one)')
    .option('--all', "lines of all of the team's projects, also where svc.json names one")
    .option('--deployment <id>', 'only lines of this deployment')
    .addOption(
      new Option('--kind <kind>', 'only lines of this kind').choices([
        'build',
        'audit',
        'request',
        'git',
        'runtime',
      ]),
    )
    .addOption(
      new Option('--level <level>', 'only lines of exactly this level').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .option('--status <status>', 'only requests with this status: 404, or a class: 4xx')
    .option('--host <host>', 'only requests to this host')
    .option('-q, --query <text>', 'only lines whose message contains this, case-insensitive')
    .addOption(sinceOption('only lines since then'))
    .addOption(countOption('-n, --lines <count>', 'how many of the last lines').default(100))
    .option('-f, --follow', 'print new lines as they come, until Ctrl-C')
    .addHelpText('after', examples)
    .action((options: Options, command: Command) => show(io, options, command))
}

async function show(io: Io, options: Options, command: Command): Promise<void> {
  const { all, query, since, lines, follow: follows, ...rest } = options
  const { deployment, kind, level, status, host } = rest
  const shared = globalOptions(command)
  const { api, linked } = connectLinked(io, shared, { project: rest.project })
  const project = projectOfList(io, deployment === undefined ? linked : undefined, {
    named: rest.project,
    all,
    as: '--project',
  })
  const filters: LogFilters = {
    ...(project !== undefined && { project }),
    ...(deployment !== undefined && { deployment }),
    ...(kind !== undefined && { kind }),
    ...(level !== undefined && { level }),
    ...(status !== undefined && { status }),
    ...(host !== undefined && { host }),
    ...(query !== undefined && { q: query }),
    ...(since !== undefined && { since_ms: since }),
  }
  const last = await lastLines(api, filters, lines)
  const writeOne = (line: LogLine) => (shared.json ? write(io, safeJson(line, 0)) : writeLine(io, line))
  if (shared.json && !follows) return writeJson(io, last)
  if (last.length === 0 && !follows) return warn(io, 'No lines match.')
  for (const line of last) writeOne(line)
  if (follows)
    for await (const line of nextLines(io, api, filters, { printed: last, count: lines })) writeOne(line)
}

/** The last lines that match, oldest first. */
async function lastLines(api: Api, filters: LogFilters, count: number): Promise<LogLine[]> {
  const pages = everyPage((cursor) =>
    api.observability.logs.query({ ...filters, limit: Math.min(count, 100), ...cursor }),
  )
  const { project } = filters
  // An unknown project has no lines, which would look like silence; a deleted one can be named by its id.
  const known =
    project === undefined || project.startsWith('prj_') ? undefined : api.projects.get.query({ project })
  const [found] = await Promise.all([firstRows(pages, count), known])
  return found.reverse()
}

/** A line may appear up to this long after a later one. */
const lateMs = 1_000

/** Prints new lines after those already printed. */
async function* nextLines(
  io: Io,
  api: Api,
  filters: LogFilters,
  { printed, count }: { printed: LogLine[]; count: number },
): AsyncGenerator<LogLine> {
  const ids = new Set(printed.map(({ id }) => id))
  const first = printed.length === count ? printed[0] : undefined
  const last = printed.at(-1)
  const sinceMs = Math.max(filters.since_ms ?? 0, last ? last.time_ms - lateMs : 0)
  const onAway = () => warn(io, 'The server does not respond; waiting for it.')
  for await (const line of followLines(
    api,
    { ...filters, since_ms: sinceMs },
    { signal: io.signal, onAway },
  )) {
    if (!ids.has(line.id) && !(first && isBefore(line, first))) yield line
  }
}
