/** `svc metrics`: the traffic of sites over time. */
import { Command, Option } from 'commander'
import { connectLinked } from '../connection/connect-linked.ts'
import { projectOfList } from '../connection/project-of-list.ts'
import { durationOption, sinceOption } from '../durations.ts'
import { globalOptions, type Io } from '../io.ts'
import { writeSeries } from '../metrics/write-series.ts'
import { writeJson } from '../terminal/output.ts'

const metrics = [
  'requests',
  'bytes',
  'errors',
  'responses_2xx',
  'responses_3xx',
  'responses_4xx',
  'responses_5xx',
  'responses_404',
  'latency_p50',
  'latency_p95',
  'latency_p99',
] as const

type Options = { metric: (typeof metrics)[number]; all?: boolean; since?: number; step?: number }

const examples = `
Examples:
  $ svc metrics
  $ svc metrics web --metric bytes --since 7d
  $ svc metrics web --metric latency_p95 --since 1h --step 1m
  $ svc metrics web --metric responses_404
  $ svc metrics --all --metric errors --json | jq '.points | last'

Errors are responses with status 500 and above; those of 404 are among responses_4xx, too. At a terminal it
draws a chart, otherwise it prints a line for each step with something in it: its time, a tab, and its value.`

/** The command `svc metrics`. */
export function metricsCommand(io: Io): Command {
  return new Command('metrics')
    .description('show the traffic of sites over time')
    .argument('[project]', "its name or id (default: the one in svc.json, or all of the team's)")
    .option('--all', "all of the team's projects, also where svc.json names one")
    .addOption(new Option('--metric <metric>', 'what to show').choices(metrics).default('requests'))
    .addOption(sinceOption('since then (default: a day)'))
    .addOption(durationOption('--step <duration>', 'length of a step: 1m, 15m, 1h, 1d'))
    .addHelpText('after', examples)
    .action(async (named: string | undefined, options: Options, command: Command) => {
      const { metric, all, since, step } = options
      const shared = globalOptions(command)
      const { api, linked } = connectLinked(io, shared)
      const project = projectOfList(io, linked, { named, all, as: 'a project' })
      const series = await api.observability.metrics.query({
        metric,
        ...(project !== undefined && { project }),
        ...(since !== undefined && { since_ms: since }),
        ...(step !== undefined && { step_ms: step }),
      })
      if (shared.json) writeJson(io, series)
      else writeSeries(io, series, project ?? 'all projects')
    })
}
