/** For every query that a client can send: inputs that make it read many rows in each of its ways. */
import type { inferRouterInputs } from '@trpc/server'
import type { AppRouter } from '../../../src/api/routers/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { lineId } from '../../../src/platform/observability/logs/row.ts'
import { encodeCursor } from '../../../src/stores/db/page.ts'

type Inputs = inferRouterInputs<AppRouter>

type Categories = AppRouter['_def']['record']

type QueryName = {
  [Category in keyof Categories & string]: {
    [Name in keyof Categories[Category] & string]: Categories[Category][Name] extends {
      _def: { type: 'query' }
    }
      ? `${Category}.${Name}`
      : never
  }[keyof Categories[Category] & string]
}[keyof Categories & string]

/** The resources of the large team. */
export type Known = {
  deployment: string
  /** A small one by its name and its id. */
  project: { name: string; id: string }
  domain: string
  record: string
  webhook: string
  team: { id: string; slug: string }
  /** The middle of the time in which everything was created. */
  middleMs: number
}

/** All combinations of one of each field's values; `undefined` omits the field. */
function combinations<T extends Record<string, readonly unknown[]>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K][number], undefined> }[] {
  return Object.entries(fields).reduce<object[]>(
    (made, [name, values]) =>
      made.flatMap((each) =>
        values.map((value) => (value === undefined ? each : { ...each, [name]: value })),
      ),
    [{}],
  )
}

function deployments({ project, middleMs }: Known): Inputs['deployments']['list'][] {
  const cursor = encodeCursor([middleMs, newId('deployment', middleMs)])
  const filters = combinations({
    project: [undefined, 'web', project.name, project.id, 'nothing'],
    target: [undefined, 'production'],
    state: [undefined, 'ready', 'canceled', 'queued', 'error,canceled'],
    branch: [undefined, 'main', 'old', 'release', 'nothing'],
  } as const)
  const times = [{}, { cursor }, { since_ms: middleMs }, { until_ms: middleMs, limit: 100 }, { until_ms: 1 }]
  return filters.flatMap((filter, index) => {
    // Of the results of most filters, the times are read in rotation.
    const chosen = Object.keys(filter).length < 2 ? times : [times[index % times.length]]
    return chosen.map((time) => ({ ...filter, ...time }))
  })
}

function logs({ project, deployment, middleMs }: Known): Inputs['observability']['logs'][] {
  const cursor = encodeCursor([middleMs, lineId(10_000)])
  const filters = combinations({
    kind: [undefined, 'build', 'request', 'git', 'runtime', 'audit'],
    project: [undefined, 'web', project.id, 'nothing'],
    deployment: [undefined, deployment],
    order: ['asc', 'desc'],
  } as const)
  const more = [{}, { cursor }, { since_ms: middleMs }, { until_ms: 1 }, { q: 'line' }, { q: 'needle' }]
  const levels = (['debug', 'warn', 'error'] as const).map((level) => ({ level, project: 'web' }))
  return [
    ...filters.flatMap((filter) => more.map((each) => ({ ...filter, ...each }))),
    ...levels,
    { level: 'debug', since_ms: middleMs },
    { host: 'www.example.com' },
    ...['404', '2xx', '4xx'].flatMap((status) => [
      { status },
      { status, project: 'web' },
      { status, cursor },
    ]),
  ]
}

/** An entry for each; one with an unknown reference fails the test. */
export const everyQuery: Record<QueryName, (known: Known) => object[]> = {
  'deployments.list': deployments,
  'deployments.get': ({ deployment }): Inputs['deployments']['get'][] => [
    { deployment },
    { deployment: newId('deployment', 1) },
  ],
  'deployments.files': ({ deployment }): Inputs['deployments']['files'][] =>
    combinations({
      q: [undefined, 'index', 'nothing'],
      cursor: [undefined, encodeCursor(['a.html'])],
    } as const).map((filters) => ({ deployment, ...filters })),
  'deployments.compare': ({ deployment }): Inputs['deployments']['compare'][] =>
    combinations({
      with: [undefined, deployment],
      cursor: [undefined, encodeCursor(['a.html'])],
    } as const).map((filters) => ({ deployment, ...filters })),
  'projects.list': (): Inputs['projects']['list'][] =>
    combinations({
      q: [undefined, 'site', 'web', 'e', 'x', 'zz', 'nothing', 'no such letter'],
      cursor: [undefined, encodeCursor(['site-3'])],
    } as const),
  'projects.summaries': ({ middleMs }): Inputs['projects']['summaries'][] => [
    ...combinations({
      limit: [undefined, 100],
      q: [undefined, 'site', 'nothing'],
      cursor: [undefined, encodeCursor(['site-3'])],
    } as const),
    ...combinations({
      sort: ['activity'],
      limit: [undefined, 100],
      cursor: [undefined, encodeCursor([middleMs, newId('project', middleMs)])],
    } as const),
  ],
  'projects.get': ({ project }): Inputs['projects']['get'][] => [
    { project: project.name },
    { project: project.id },
    { project: 'nothing' },
  ],
  'domains.list': ({ project }): Inputs['domains']['list'][] =>
    combinations({
      project: [undefined, 'zz-shop', project.name, 'nothing'],
      verified: [undefined, true, false],
      cursor: [undefined, encodeCursor(['d3.com'])],
    } as const),
  'domains.get': ({ domain }): Inputs['domains']['get'][] => [{ domain }, { domain: 'nothing.com' }],
  'dns.list': ({ middleMs }): Inputs['dns']['list'][] =>
    combinations({
      domain: ['bigzone.com'],
      name: [undefined, 'h7', '@', 'nothing'],
      type: [undefined, 'A', 'TXT', 'MX'],
      cursor: [undefined, encodeCursor([1_000, newId('record', middleMs)])],
    } as const).map(({ domain = '', ...filters }) => ({ domain, ...filters })),
  'dns.get': ({ record }): Inputs['dns']['get'][] => [
    { domain: 'bigzone.com', record },
    { domain: 'bigzone.com', record: newId('record', 1) },
  ],
  'dns.check': ({ record }): Inputs['dns']['check'][] =>
    [{}, { record }, { record: newId('record', 1) }].map((which) => ({
      domain: 'bigzone.com',
      name: 'h7',
      type: 'A',
      value: '192.0.2.77',
      ...which,
    })),
  'dns.exportZone': ({ domain }): Inputs['dns']['exportZone'][] => [{ domain }],
  'webhooks.list': ({ middleMs }): Inputs['webhooks']['list'][] => [
    {},
    { cursor: encodeCursor([middleMs, newId('webhook', middleMs)]) },
  ],
  'webhooks.get': ({ webhook }): Inputs['webhooks']['get'][] => [{ webhook }],
  'webhooks.deliveries': ({ webhook, middleMs }): Inputs['webhooks']['deliveries'][] =>
    combinations({
      state: [undefined, 'failed', 'delivered', 'pending'],
      limit: [undefined, 100],
      cursor: [undefined, encodeCursor([middleMs, newId('delivery', middleMs)])],
    } as const).map((filters) => ({ webhook, ...filters })),
  'webhooks.mails': (): Inputs['webhooks']['mails'][] => [{}],
  'teams.list': (): Inputs['teams']['list'][] => [{}, { cursor: encodeCursor(['b']) }],
  'teams.get': ({ team }): Inputs['teams']['get'][] => [{ team: team.slug }, { team: team.id }],
  'teams.invitations': ({ middleMs }): Inputs['teams']['invitations'][] => [
    {},
    { cursor: encodeCursor([middleMs, newId('team', middleMs)]) },
  ],
  'tokens.listKeys': ({ middleMs }): Inputs['tokens']['listKeys'][] => [
    {},
    { cursor: encodeCursor([middleMs, newId('key', middleMs)]) },
  ],
  'tokens.keyDetails': ({ middleMs }): Inputs['tokens']['keyDetails'][] => [
    {},
    { cursor: encodeCursor([middleMs, newId('key', middleMs)]) },
  ],
  'account.get': (): Inputs['account']['get'][] => [{}],
  'links.list': (): Inputs['links']['list'][] => [{ project: 'web' }],
  'trust.list': (): Inputs['trust']['list'][] => [{ project: 'web' }],
  'git.deliveries': (): Inputs['git']['deliveries'][] => [{ project: 'web' }],
  'ps.list': (): Inputs['ps']['list'][] => [{}, { project: 'web' }],
  'hooks.list': (): Inputs['hooks']['list'][] => [{ project: 'web' }],
  'account.passkeys': (): Inputs['account']['passkeys'][] => [{}],
  'account.sessions': (): Inputs['account']['sessions'][] => [{}],
  'teams.leaving': ({ team }): Inputs['teams']['leaving'][] => [{ team: team.slug, email: null }],
  'invitationLinks.list': ({ team }): Inputs['invitationLinks']['list'][] => [{ team: team.slug }],
  'observability.overview': (): Inputs['observability']['overview'][] => [{}],
  'observability.logs': logs,
  'observability.metrics': ({ project }): Inputs['observability']['metrics'][] =>
    combinations({
      metric: ['requests', 'latency_p95'],
      project: [undefined, project.id],
      step_ms: [undefined, 60_000, 86_400_000],
    } as const).map(({ metric = 'requests', ...range }) => ({ metric, ...range })),
}
