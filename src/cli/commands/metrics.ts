/** `svc metrics`: the traffic of sites over time. */
import { Command, Option } from 'commander'
import { connect } from '../connection/connect.ts'
import { durationOption, sinceOption } from '../durations.ts'
import { globalOptions, type Io } from '../io.ts'
import { writeSeries } from '../metrics/write-series.ts'
import { writeJson } from '../terminal/output.ts'

const metrics = ['requests', 'bytes', 'errors', 'latency_p50', 'latency_p95', 'latency_p99'] as const

type Options = { metric: (typeof metrics)[number]; since?: number; step?: number }

const examples = `
Examples:
  $ svc metrics
  $ svc metrics web --metric bytes --since 7d
  $ svc metrics web --metric latency_p95 --since 1h --step 1m
  $ svc metrics --metric errors --json | jq '.points | last'

Errors are responses with status 500 and above. At a terminal it draws a chart, otherwise it prints a line
for each step with something in it: its time, a tab, and its value.`

/** The command `svc metrics`. */
export function metricsCommand(io: Io): Command {
  return new Command('metrics')
    .description('show the traffic of sites over time')
    .argument('[project]', "its name or id (default: all of the team's)")
    .addOption(new Option('--metric <metric>', 'what to show').choices(metrics).default('requests'))
    .addOption(sinceOption('since then (default: a day)'))
    .addOption(durationOption('--step <duration>', 'length of a step: 1m, 15m, 1h, 1d'))
    .addHelpText('after', examples)
    .action(async (project: string | undefined, { metric, since, step }: Options, command: Command) => {
      const options = globalOptions(command)
      const { api } = await connect(io, options)
      const series = await api.observability.metrics.query({
        metric,
        ...(project !== undefined && { project }),
        ...(since !== undefined && { since_ms: since }),
        ...(step !== undefined && { step_ms: step }),
      })
      if (options.json) writeJson(io, series)
      else writeSeries(io, series, project ?? 'all projects')
    })
}
