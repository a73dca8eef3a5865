/** Visits of the sites, through the load balancer and the edges. */
import { seenIn, send, unsuccessful } from './http.ts'
import { oneOf, repeat } from './pace.ts'
import { pagePaths, versionIn } from './site-files.ts'
import type { Site, Team, World } from './world.ts'

type Kind =
  | 'page.live'
  | 'page.steady'
  | 'page.preview'
  | 'page.server'
  | 'page.server.rest'
  | 'page.server.steady'

/** Reads a page and the version that it names; a host without a site has none. */
export async function visit(
  { recorder, fleet }: World,
  team: Team,
  { kind, subject, host }: { kind: Kind; subject: string; host: string },
): Promise<void> {
  await recorder.perform({ process: `${team.slug}/visitor`, kind, subject }, async () => {
    // Always the same page of a steady site, so that an edge that has served it has it in its cache.
    const path = kind === 'page.steady' ? '/' : oneOf(pagePaths)
    const url = `http://127.0.0.1:${fleet.edgePort}${path}`
    const response = await send(url, { headers: { host } })
    if (response.status === 404) return { type: 'ok', ...seenIn(response), value: null }
    if (response.status !== 200) return unsuccessful(response, false)
    return { type: 'ok', ...seenIn(response), value: versionIn(response.text) }
  })
}

/** Visits the production of a site. */
export function visitSite(world: World, team: Team, { project, host }: Site): Promise<void> {
  const kind = team.steady.project === project ? 'page.steady' : 'page.live'
  return visit(world, team, { kind, subject: project, host })
}

/** Visits the previews of a site: the last, and any. */
async function visitPreview(world: World, team: Team, { made }: Site): Promise<void> {
  if (made.length === 0) return
  const { version, host } = Math.random() < 0.5 ? oneOf(made.slice(-1)) : oneOf(made)
  await visit(world, team, { kind: 'page.preview', subject: version, host })
}

/** Visits the sites of a team until `stopping` aborts. */
export function visitSites(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  const visitors = team.sites.map((site) => repeat(stopping, 200, () => visitSite(world, team, site)))
  const steady = repeat(stopping, 200, () => visitSite(world, team, team.steady))
  const previews = repeat(stopping, 500, () => visitPreview(world, team, oneOf(team.sites)))
  return Promise.all([...visitors, steady, previews])
}
