/** The results as tables, for the terminal and for RESULTS.md. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { median } from './rounds.mjs'

const explanation = `\
Server on core 0, \`wrk\` (32 connections, unless a title says another number) and PostgreSQL's processes on
the others, at least five rounds of two seconds by turns after a warm-up. *Best* is our best round beside the
peer's best; *median* is that of the rounds' ratios; *CPU* is the median ratio of processor time for one
request (user and system, of the server's process), which other work on the machine disturbs least. Above 1
we are ahead. Large files are read by a client of our own (4 connections), since \`wrk\` takes longer to read
them than servers to send them.`

const latencyExplanation = `\
Median times in milliseconds. Rows: one question at a time, by turns, three hundred of each kind after a
warm-up, until all of the answer was read; every look-up of a host is one in the database. Deployments: from
the start of the command to its end.`

/**
 * @typedef {{ to: string, bar: number | undefined, cpuBar?: number, best: number, median: number,
 *   cpu: number }} Comparison
 * @typedef {{ title: string, unit?: string, notes: string[], measured: import('./rounds.mjs').Measured[],
 *   comparisons: Comparison[] }} Rates
 * @typedef {{ what: string, few: number, many: number, bar?: number }} Latency
 * @typedef {{ title: string, sides: [string, string], notes: string[], latencies: Latency[] }} Latencies
 * @typedef {{ title: string, notes: string[], durations: { what: string, ms: number, bar?: number }[] }}
 * Durations
 */

/**
 * @param {(Rates | Latencies | Durations)[]} results
 * @param {{ postgres: string, failed: string[] }} run The version of PostgreSQL, and what has no result.
 */
export function format(results, { postgres, failed }) {
  const rates = results.filter((result) => 'measured' in result)
  const latencies = results.filter((result) => 'latencies' in result)
  const durations = results.filter((result) => 'durations' in result)
  return [
    '# Results of the benchmarks',
    `\`npm run bench\` made this on ${new Date().toISOString().slice(0, 10)}, ` +
      `with ${versions(postgres)}.`,
    ...(failed.length > 0 ? [`Not measured, since it failed: ${failed.join(', ')}.`] : []),
    ...(rates.length > 0 ? [explanation, '## Ratios', ratioTable(rates), '## Rates'] : []),
    ...rates.flatMap((result) => [rateTable(result), ...result.notes]),
    ...(latencies.length + durations.length > 0 ? ['## Times', latencyExplanation] : []),
    ...latencies.flatMap((result) => [latencyTable(result), ...result.notes]),
    ...durations.flatMap((result) => [durationTable(result), ...result.notes]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** @param {Rates[]} results */
function ratioTable(results) {
  return table(
    ['what', 'beside', 'bar', 'best', 'median', 'CPU', 'met'],
    results.flatMap(({ title, comparisons }) =>
      comparisons.map(({ to, bar, cpuBar, best, median, cpu }) => [
        title,
        to,
        bar === undefined ? 'shown' : `≥ ${bar}${cpuBar === undefined ? '' : `, CPU ≥ ${cpuBar}`}`,
        best.toFixed(2),
        median.toFixed(2),
        cpu.toFixed(2),
        bar === undefined ? '' : yesOrNo(Math.min(best, median) >= bar && cpu >= (cpuBar ?? 0)),
      ]),
    ),
  )
}

/** @param {Rates} result */
function rateTable({ title, measured, unit = 'request' }) {
  return table(
    [title, `${unit === 'request' ? 'requests' : unit}/s, best`, 'median', `CPU µs a ${unit}`, 'core in use'],
    measured.map(({ name, rounds }) => [
      name,
      whole(Math.max(...rounds.map(({ rate }) => rate))),
      whole(median(rounds.map(({ rate }) => rate))),
      median(rounds.map(({ cpuUs }) => cpuUs)).toFixed(1),
      `${whole(median(rounds.map(({ busy }) => busy)) * 100)} %`,
    ]),
  )
}

/** @param {Latencies} result */
function latencyTable({ title, sides, latencies }) {
  return table(
    [title, ...sides, 'ratio', 'bar', 'met'],
    latencies.map(({ what, few, many, bar }) => [
      what,
      few.toFixed(2),
      many.toFixed(2),
      (many / few).toFixed(2),
      ...meets(many / few, bar),
    ]),
  )
}

/** @param {Durations} result */
function durationTable({ title, durations }) {
  return table(
    [title, 'median', 'bar', 'met'],
    durations.map(({ what, ms, bar }) => [what, ms.toFixed(2), ...meets(ms, bar)]),
  )
}

/** A bar that a value may not exceed, where there is one, and whether it does. */
function meets(value, bar) {
  return bar === undefined ? ['shown', ''] : [`≤ ${bar}`, yesOrNo(value <= bar)]
}

const yesOrNo = (/** @type {boolean} */ met) => (met ? 'yes' : 'no')

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en')

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function versions(postgresVersion) {
  const packages = ['fastify', '@trpc/server', 'postgres', 'sirv', '@fastify/static'].map(
    (name) => `${name} ${packageVersion(name)}`,
  )
  return (
    `Node ${process.versions.node} on ${cpus().length} cores, ` +
    `PostgreSQL ${postgresVersion.split(' ')[0]}, ${packages.join(', ')}`
  )
}

function packageVersion(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
