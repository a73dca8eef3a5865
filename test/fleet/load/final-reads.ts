/** Reads everything that was acknowledged, once nothing changes any more. */
import { z } from 'zod'
import { readProject } from './deployments.ts'
import { call, seenIn, unsuccessful } from './http.ts'
import { listKeys } from './keys.ts'
import { visit, visitSite } from './pages.ts'
import { visitPushed } from './pushes.ts'
import { changingNames, read } from './records.ts'
import { visitAtRest } from './servers.ts'
import type { Site, Team, World } from './world.ts'

const pageSchema = z.object({
  data: z.array(z.object({ id: z.string() })),
  next_cursor: z.string().nullable(),
})

/** So that each edge serves some of them. */
const visits = 4

/** The most previews of a site that are visited. */
const maxPreviews = 40

/** Production, all deployments, previews, keys and records of all teams. */
export async function readEverything(world: World): Promise<void> {
  for (const team of world.teams) {
    for (const site of [...team.sites, team.steady]) {
      await readProject(world, team, site)
      for (let times = 0; times < visits; times += 1) await visitSite(world, team, site)
      await listDeployments(world, team, site)
      for (const { version, host } of site.made.slice(-maxPreviews))
        await visit(world, team, { kind: 'page.preview', subject: version, host })
    }
    if (team.served) {
      await readProject(world, team, team.served.site)
      await visitAtRest(world, team, team.served.site, visits)
    }
    for (const name of changingNames) await read(world, team, team.zone, name)
    await listKeys(world, team)
    for (let times = 0; team.pushed && times < visits; times += 1) await visitPushed(world, team, team.pushed)
  }
}

async function listDeployments({ recorder, fleet }: World, team: Team, { project }: Site): Promise<void> {
  const invocation = { process: `${team.slug}/reader`, kind: 'deployments.list', subject: project }
  await recorder.perform(invocation, async () => {
    const list: string[] = []
    for (let cursor = ''; ; ) {
      const path = `/v1/deployments?project=${project}&limit=100${cursor}`
      const response = await call(fleet.apiUrl, team.key, 'GET', path)
      if (response.status !== 200) return unsuccessful(response, false)
      const { data, next_cursor } = pageSchema.parse(JSON.parse(response.text))
      list.push(...data.map(({ id }) => id))
      if (next_cursor === null) return { type: 'ok', ...seenIn(response), list }
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`
    }
  })
}
