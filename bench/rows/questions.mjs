/**
 * Every GET of the API and the look-ups of the edge, as one question each: what is asked for, by a number
 * that no other question of the round has, and how many rows the answer has.
 */

import { amount } from '../amount.mjs'

const host = 'localhost'

/** How many rows a page of a list has here. */
const page = 10

/** Far apart for one number and the next, and each once before any comes again. */
const at = (values, number) => values[(number * 37) % values.length]

const list = (path, rows = page) => ({ path, rows })

const deployments = (filters, rows) => list(`/v1/deployments?limit=${page}${filters}`, rows)
const projects = (filters, rows) => list(`/v1/projects?limit=${page}${filters}`, rows)
const domains = (filters, rows = page) => list(`/v1/domains?limit=${rows}${filters}`, rows)
const records = (filters, rows) => list(`/v1/domains/bigzone.com/records?limit=${page}${filters}`, rows)
const keys = (filters) => list(`/v1/apikeys?limit=${page}${filters}`)
const logs = (filters, rows) => list(`/v1/logs?limit=${page}${filters}`, rows)

export const questions = {
  '`GET` of a deployment': ({ ids }, number) => ({ path: `/v1/deployments/${at(ids, number)}` }),
  deployments: () => deployments(''),
  'deployments, a page in the middle': ({ cursors }, number) => deployments(`&cursor=${at(cursors, number)}`),
  'deployments of a large project': () => deployments('&project=web'),
  'deployments of a small project': ({ small }, number) => deployments(`&project=${at(small, number)}`, 5),
  'deployments of no project': () => deployments('&project=nothing', 0),
  'deployments for a target': () => deployments('&target=production'),
  'deployments in a state': () => deployments('&state=ready'),
  'deployments in a rare state': () => deployments('&state=canceled'),
  'deployments in no state': () => deployments('&state=queued', 0),
  'deployments in two states': () => deployments('&state=error,canceled'),
  'deployments of a branch': () => deployments('&branch=main'),
  'deployments of a rare branch': () => deployments('&branch=old'),
  'deployments of a project in a rare state': () => deployments('&project=web&state=canceled'),
  'deployments in a time': ({ sinceMs, untilMs }) => deployments(`&since_ms=${sinceMs}&until_ms=${untilMs}`),
  'deployments of a branch before a time': ({ untilMs }) => deployments(`&branch=next&until_ms=${untilMs}`),
  'deployments by all filters': ({ untilMs }) =>
    deployments(`&project=web&target=preview&state=ready,error&branch=main&since_ms=1&until_ms=${untilMs}`),
  'deployments, two usual filters that never meet': () =>
    deployments('&project=web&target=production&branch=release', 0),
  'deployments, a usual and a rare filter that never meet': () => deployments('&state=error&branch=old', 0),

  '`GET` of a project': ({ small }, number) => ({ path: `/v1/projects/${at(small, number)}` }),
  projects: () => projects(''),
  'projects, a page in the middle': ({ projectCursors }, number) =>
    projects(`&cursor=${at(projectCursors, number)}`),
  'projects with a usual part of a name': () => projects('&q=ite-'),
  'projects with a rare part of a name': () => projects('&q=web', 1),
  'projects with two letters that are rare': () => projects('&q=we', 1),
  'projects with no such part of a name': () => projects('&q=nothing', 0),

  '`GET` of a domain': ({ domains }, number) => ({ path: `/v1/domains/${at(domains, number)}` }),
  domains: () => domains(''),
  'domains, a page in the middle': ({ domainCursors }, number) =>
    domains(`&cursor=${at(domainCursors, number)}`),
  'domains of a project': () => domains('&project=zz-shop'),
  'domains that are verified': () => domains('&verified=true'),
  "domains that aren't": () => domains('&verified=false', 5),
  'domains of a project that are verified': () => domains('&project=zz-shop&verified=true'),

  '`GET` of a record': ({ records }, number) => ({
    path: `/v1/domains/bigzone.com/records/${at(records, number)}`,
  }),
  records: () => records(''),
  'records, a page in the middle': ({ recordCursors }, number) =>
    records(`&cursor=${at(recordCursors, number)}`),
  'records of a name': ({ names }, number) => records(`&name=${at(names, number)}`, 1),
  'records of a type': () => records('&type=TXT'),
  'records of no such type': () => records('&type=MX', 0),

  '`GET` of a webhook with many deliveries': ({ webhook }) => ({ path: `/v1/webhooks/${webhook}` }),
  webhooks: () => list(`/v1/webhooks?limit=${page}`),

  '`GET` of a team': ({ team }) => ({ path: `/v1/teams/${team}` }),
  teams: () => list(`/v1/teams?limit=${page}`, 1),

  keys: () => keys(''),
  'keys, a page in the middle': ({ keyCursors }, number) => keys(`&cursor=${at(keyCursors, number)}`),
  'keys that a member sees': ({ memberAuthorization }) => ({
    ...keys(''),
    authorization: memberAuthorization,
  }),

  overview: () => ({ path: '/v1/overview' }),
  logs: () => logs(''),
  'logs, forwards': ({ sinceMs }) => logs(`&order=asc&since_ms=${sinceMs}`),
  'logs, a page in the middle': ({ logCursors }, number) => logs(`&cursor=${at(logCursors, number)}`),
  'logs of builds': () => logs('&kind=build'),
  'logs of requests': () => logs('&kind=request'),
  'logs, the audit trail': () => logs('&kind=audit'),
  'logs, the audit trail in the middle, forwards': ({ sinceMs }) =>
    logs(`&kind=audit&order=asc&since_ms=${sinceMs}`),
  'logs of a level': () => logs('&level=warn'),
  'logs of a rare level': () => logs('&level=debug'),
  'logs of a project': () => logs('&project=web'),
  'logs of a project, forwards': ({ sinceMs }) => logs(`&project=web&order=asc&since_ms=${sinceMs}`),
  'logs of a deployment': ({ ids }, number) => logs(`&deployment=${at(ids, number)}`, 2),
  'logs of a deployment, forwards': ({ ids }, number) => logs(`&deployment=${at(ids, number)}&order=asc`, 2),
  'logs with a usual text': () => logs('&q=printed'),
  'logs of a time without any': () => logs('&until_ms=1', 0),

  'a host of the edge': ({ labels }, number) => ({ host: `${at(labels, number)}.${host}`, path: '/' }),
  'a domain at the edge': ({ hosts }, number) => ({ host: at(hosts, number), path: '/' }),
}

/** What is bounded, but not by what a thousand rows take: it is shown. */
export const shown = {
  'logs with a text that is nowhere': () => logs('&q=needle', 0),
  'the audit trail with a text that is nowhere': () => logs('&kind=audit&q=needle', 0),
}

const cursor = (...key) => Buffer.from(JSON.stringify(key)).toString('base64url')

/** What the questions name, in a database that was filled. */
export async function readKnown(sql, svc) {
  const team = sql`(select team_id from projects where name = 'web')`
  const sample = (rows) => sql`select * from (${rows}) as found order by md5(id::text) limit 2000`
  const deployments = await sample(sql`select id, host, created_ms,
    project_id = (select id from projects where name = 'web') as is_large from deployments
    where state = 'ready' and team_id = ${team} and host like 'd-%'`)
  const small = await sample(sql`select id, name from projects
    where team_id = ${team} and name like 'site-%' and id in (
      select project_id from deployments group by project_id having count(*) = 5)`)
  const domains = await sample(
    sql`select id, domain from domains where team_id = ${team} and verified_ms > 1`,
  )
  const attached = await sample(
    sql`select domains.id as id, domain from domains join projects on projects.id = project_id
      where projects.name = 'zz-shop' and verified_ms is not null`,
  )
  const records = await sample(sql`select id, fqdn, created_ms from records where fqdn like 'h%.bigzone.com'`)
  const keys = await sample(
    sql`
      select id, created_ms, row_number() over (order by created_ms) as place from api_keys
      where team_id = ${team}`,
  )
  const lines = await sample(
    sql`select id, time_ms from log_lines tablesample system (${amount(20, 100)}) where team_id = ${team}`,
  )
  const [{ hook }] = await sql`select id as hook from webhooks where url like '%/1'`
  const [{ first, last }] =
    await sql`select min(created_ms) as first, max(created_ms) as last from deployments
    where host like 'd-%'`
  const middleMs = Math.round((Number(first) + Number(last)) / 2)
  const [{ slug }] = await sql`select slug from teams where id = ${team}`
  const { answer } = await svc.call('POST', '/v1/apikeys', { name: 'member', role: 'member' })
  const later = (rows) => rows.filter(({ created_ms }) => Number(created_ms) > middleMs)
  const names = await sql`
      select name from projects where team_id = ${team} and name < 'site-3' order by md5(id) limit 500`
  return {
    ids: deployments.map(({ id }) => id),
    labels: deployments.map(({ host }) => host),
    cursors: later(deployments).map(({ id, created_ms }) => cursor(Number(created_ms), id)),
    promotable: deployments.filter(({ is_large }) => is_large).map(({ id }) => id),
    small: small.map(({ name }) => name),
    projectCursors: names.map(({ name }) => cursor(name)),
    domains: domains.map(({ domain }) => domain),
    domainCursors: domains.filter(({ domain }) => domain < 'd3').map(({ domain }) => cursor(domain)),
    hosts: attached.map(({ domain }) => domain),
    records: records.map(({ id }) => id),
    names: records.map(({ fqdn }) => fqdn.split('.')[0]),
    recordCursors: records
      .filter(({ created_ms }) => Number(created_ms) > 15)
      .map(({ id, created_ms }) => cursor(Number(created_ms), id)),
    keyCursors: keys
      .filter(({ place }) => Number(place) > 20)
      .map(({ id, created_ms }) => cursor(Number(created_ms), id)),
    logCursors: lines
      .filter(({ time_ms }) => Number(time_ms) > middleMs)
      .map(({ id, time_ms }) => cursor(Number(time_ms), `log_${Number(id).toString(16).padStart(32, '0')}`)),
    webhook: hook,
    team: slug,
    memberAuthorization: `Bearer ${answer.token}`,
    sinceMs: Math.round((Number(first) + middleMs) / 2),
    untilMs: middleMs,
  }
}
