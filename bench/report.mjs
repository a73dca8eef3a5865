/** The results as tables, for the terminal and for RESULTS.md. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { median } from './rounds.mjs'

const explanation = `Server on core 0, \`wrk\` (32 connections) and PostgreSQL's processes on the others, five rounds of two seconds by turns after a
warm-up. *Best* is our best round beside the peer's best; *median* is that of the five rounds' ratios; *CPU* is the median
ratio of processor time for one request (user and system, of the server's process), which other work on the machine
disturbs least. Above 1 we are ahead.`

/**
 * @typedef {{ to: string, bar: number | undefined, best: number, median: number, cpu: number }} Comparison
 * @typedef {{ title: string, notes: string[], measured: import('./rounds.mjs').Measured[], comparisons: Comparison[] }} Result
 */

/** @param {Result[]} results @param {string} postgresVersion */
export function format(results, postgresVersion) {
  return [
    '# Results of the benchmarks',
    `\`npm run bench\` made this on ${new Date().toISOString().slice(0, 10)}, with ${versions(postgresVersion)}.`,
    explanation,
    '## Ratios',
    table(
      ['what', 'beside', 'bar', 'best', 'median', 'CPU', 'met'],
      results.flatMap(({ title, comparisons }) =>
        comparisons.map(({ to, bar, best, median, cpu }) => [
          title,
          to,
          bar === undefined ? 'shown' : `≥ ${bar}`,
          best.toFixed(2),
          median.toFixed(2),
          cpu.toFixed(2),
          bar === undefined ? '' : Math.min(best, median) >= bar ? 'yes' : 'no',
        ]),
      ),
    ),
    '## Rates',
    ...results.flatMap(({ title, measured, notes }) => [
      table(
        [title, 'requests/s, best', 'median', 'CPU µs a request', 'core in use'],
        measured.map(({ name, rounds }) => [
          name,
          whole(Math.max(...rounds.map(({ rate }) => rate))),
          whole(median(rounds.map(({ rate }) => rate))),
          median(rounds.map(({ cpuUs }) => cpuUs)).toFixed(1),
          `${whole(median(rounds.map(({ busy }) => busy)) * 100)} %`,
        ]),
      ),
      ...notes,
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en')

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function versions(postgresVersion) {
  const packages = ['fastify', 'postgres', 'sirv', '@fastify/static'].map(
    (name) => `${name} ${packageVersion(name)}`,
  )
  return `Node ${process.versions.node} on ${cpus().length} cores, PostgreSQL ${postgresVersion.split(' ')[0]}, ${packages.join(', ')}`
}

function packageVersion(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
