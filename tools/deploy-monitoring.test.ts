/** The dashboard of Grafana and the alerts of Prometheus ask for series and labels that nodes have. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { allSeries } from '../test/support/series-table.ts'

const run = promisify(execFile)
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
)

/** The labels of each series, as Prometheus stores it. */
const known = new Map<string, string[]>([['up', ['job', 'instance']]])
for (const { name, type, labels } of allSeries()) {
  known.set(name, [...labels])
  if (type === 'histogram') known.set(`${name}_bucket`, [...labels, 'le'])
}
const registry = new Registry()
collectDefaultMetrics({ register: registry })
for (const { name } of await registry.getMetricsAsJSON()) known.set(name, [])

type Query = { series: string[]; labels: string[]; errors: string[] }

/** What a query in PromQL asks for. */
function read(query: string): Query {
  const found: Query = { series: [], labels: [], errors: [] }
  parser.parse(query).iterate({
    enter(node) {
      const text = query.slice(node.from, node.to)
      if (node.type.isError) found.errors.push(`${text || 'the end'} at ${node.from}`)
      if (node.name === 'Identifier') found.series.push(text)
      if (node.name === 'LabelName') found.labels.push(text)
    },
  })
  return found
}

/** What is wrong with a query; all its labels are of its series, or of all targets. */
function problemsOf(query: string): string[] {
  const { series, labels, errors } = read(query)
  const possible = ['job', 'instance', ...series.flatMap((name) => known.get(name) ?? [])]
  return [
    ...errors.map((error) => `${query}: ${error}`),
    ...series.filter((name) => !known.has(name)).map((name) => `${name} is no series`),
    ...labels.filter((label) => !possible.includes(label)).map((label) => `${query}: no label ${label}`),
  ]
}

const rulesSchema = z.object({
  groups: z.tuple([
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ]),
})
const [{ rules }] = rulesSchema.parse(parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8'))).groups

const dashboardSchema = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
})
const dashboard = dashboardSchema.parse(JSON.parse(readFileSync('deploy/grafana/svc.json', 'utf8')))
// Grafana replaces its variables before Prometheus sees a query.
const queries = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
)

it('every alert asks for series and labels that exist', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(rules.flatMap(({ expr }) => problemsOf(expr))).toEqual([])
})

it('every panel asks for series and labels that exist, and every series has a panel', () => {
  expect(queries.flatMap(problemsOf)).toEqual([])
  const used = new Set(
    queries.flatMap((query) => read(query).series.map((name) => name.replace(/_bucket$/, ''))),
  )
  const names = allSeries().map(({ name }) => name)
  expect(names.filter((name) => !used.has(name))).toEqual([])
})

it('panels use only variables that the dashboard has', () => {
  const variables = dashboard.templating.list.map(({ name }) => name)
  const used = queries.flatMap((query) => [...query.matchAll(/\$(\w+)/g)].map(([, name]) => name))
  expect(new Set(used)).toEqual(new Set(['job', 'instance']))
  expect(variables).toEqual(['datasource', 'job', 'instance'])
})

it.each([
  ['rate(svc_no_such_total[5m])', 'svc_no_such_total is no series'],
  ['sum by (state) (svc_store_up)', 'no label state'],
  ['sum(rate(svc_builds_total[5m])', 'the end'],
])('would find what is wrong with %s', (query, problem) => {
  expect(problemsOf(query).join()).toContain(problem)
})

it('the guide for operators suggests the same alerts', () => {
  const [, yaml = ''] = /```yaml\n(groups:[\s\S]*?)```/.exec(readFileSync('docs/operators.md', 'utf8')) ?? []
  const brief = z.object({ alert: z.string(), expr: z.string(), for: z.string().optional() })
  const suggested = z.object({ groups: z.tuple([z.object({ rules: z.array(brief) })]) }).parse(parse(yaml))
  expect(suggested.groups[0].rules).toEqual(rules.map((rule) => brief.parse(rule)))
})

describe.runIf(hasPromtool)('promtool', () => {
  it('accepts the configuration with its rules', async () => {
    const { stdout } = await run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml'])
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`)
  })
})
