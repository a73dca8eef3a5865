/** Sites with a server: one that is promoted and rolled back, and one that only runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { eventually } from '../../support/eventually.ts'
import { promote, readProject } from './deployments.ts'
import { call, send } from './http.ts'
import { repeat } from './pace.ts'
import { visit } from './pages.ts'
import { filesOf, pagePaths } from './site-files.ts'
import type { Made, Site, Team, World } from './world.ts'

export type Served = { site: Site; steady: Site }

const projectSchema = z.object({ production_url: z.string() })
const deploymentSchema = z.object({ id: z.string(), url: z.string(), state: z.string() })

/** How many deployments a site has to choose from. */
const versions = 2

/** Answers with the pages of its version. */
const program = `
  const pages = JSON.parse(require('node:fs').readFileSync('pages.json', 'utf8'))
  require('node:http').createServer((request, response) => {
    const page = pages[request.url]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  }).listen(process.env.PORT)
`

/** Longer than the builds of all teams take on a busy machine. */
const buildMs = 120_000

/** Makes both sites, with their deployments, before anything is disturbed. @throws when one is refused. */
export async function createServed(world: World, team: Team): Promise<void> {
  const [site, steady] = await Promise.all([
    createSite(world, team, 'app', versions),
    createSite(world, team, 'app-steady', 1),
  ])
  for (const each of [site, steady]) await promote(world, team, each)
  team.served = { site, steady }
}

async function createSite(world: World, team: Team, name: string, count: number): Promise<Site> {
  const project = `${team.slug}-${name}`
  const path = `/v1/projects/${project}`
  const { production_url } = projectSchema.parse(await answerTo(world, team, 'PUT', path, {}))
  const made = await Promise.all(Array.from({ length: count }, () => build(world, team, project)))
  return { project, host: new URL(production_url).host, made }
}

/** Resolves once the server of a new version has been tried. */
async function build(world: World, team: Team, project: string): Promise<Made> {
  const version = `${project}@${world.next()}`
  const [index, about] = filesOf(version).map(({ bytes }) => bytes.toString())
  const [home = '', second = ''] = pagePaths
  const files = [
    { path: 'server.js', content: program },
    { path: 'pages.json', content: JSON.stringify({ [home]: index, [second]: about }) },
  ]
  const body = { project, target: 'preview', files, build: { start: 'node server.js' }, meta: { version } }
  const created = await answerTo(world, team, 'POST', '/v1/deployments', body)
  const { id, url } = deploymentSchema.parse(created)
  await eventually(
    async () => {
      const { state } = deploymentSchema.parse(await answerTo(world, team, 'GET', `/v1/deployments/${id}`))
      if (state !== 'ready') throw new Error(`The deployment ${id} is ${state}.`)
    },
    { limitMs: buildMs, everyMs: 250 },
  )
  return { version, deployment: id, host: new URL(url).host }
}

async function answerTo(
  { fleet }: World,
  { key }: Team,
  method: 'GET' | 'POST' | 'PUT',
  ...[path, body]: [string, unknown?]
): Promise<unknown> {
  const { status, text } = await call(fleet.apiUrl, key, method, path, body)
  if (status !== 200) throw new Error(`${method} ${path} got ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

/** Promotes, reads and visits both sites of a team until `stopping` aborts. */
export function changeServed(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  if (!team.served) return Promise.resolve()
  const { site, steady } = team.served
  const page = ({ project: subject, host }: Site) => ({ subject, host })
  const promoters = repeat(stopping, 3_000, () => promote(world, team, site))
  const readers = repeat(stopping, 1_000, () => readProject(world, team, site))
  const visitors = repeat(stopping, 200, () => visit(world, team, { kind: 'page.server', ...page(site) }))
  const others = repeat(stopping, 200, () =>
    visit(world, team, { kind: 'page.server.steady', ...page(steady) }),
  )
  return Promise.all([promoters, readers, visitors, others])
}

const settleMs = 10_000

/** Visits a site as long as the next server of each edge may take, and then so often that each answers. */
export async function visitAtRest(world: World, team: Team, site: Site, times: number): Promise<void> {
  const untilMs = performance.now() + settleMs
  while (performance.now() < untilMs) {
    await send(`http://127.0.0.1:${world.fleet.edgePort}/`, { headers: { host: site.host } })
    await sleep(100)
  }
  const { project: subject, host } = site
  for (let time = 0; time < times; time += 1)
    await visit(world, team, { kind: 'page.server.rest', subject, host })
}
