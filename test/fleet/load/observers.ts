/** Readers of logs, and strangers who try what belongs to another team. */
import { z } from 'zod'
import { call, seenIn, unsuccessful } from './http.ts'
import { oneOf, repeat } from './pace.ts'
import { filesOf } from './site-files.ts'
import type { Team, World } from './world.ts'

const logSchema = z.object({ data: z.array(z.object({ project: z.string().nullable() })) })

async function readLog({ recorder, fleet }: World, team: Team): Promise<void> {
  await recorder.perform({ process: `${team.slug}/logs`, kind: 'log.read', subject: team.slug }, async () => {
    const path = `/v1/logs?limit=50&kind=${oneOf(['audit', 'request'])}`
    const response = await call(fleet.apiUrl, team.key, 'GET', path)
    if (response.status !== 200) return unsuccessful(response, false)
    const list = logSchema.parse(JSON.parse(response.text)).data.flatMap(({ project }) => project ?? [])
    return { type: 'ok', ...seenIn(response), list: [...new Set(list)] }
  })
}

/** With a key of `team`: the deployment of another, or its files by their digests. */
async function intrude({ recorder, fleet, teams }: World, team: Team): Promise<void> {
  const site = oneOf(oneOf(teams.filter((other) => other !== team)).sites)
  if (site.made.length === 0) return
  const { version, deployment } = oneOf(site.made)
  const [file] = filesOf(version)
  const listed = { path: 'index.html', sha256: file?.sha256, size: file?.bytes.length }
  const create = { project: team.steady.project, target: 'preview', files: [listed] }
  const isRead = Math.random() < 0.5
  await recorder.perform(
    { process: `${team.slug}/stranger`, kind: 'stranger', subject: version },
    async () => {
      const response = isRead
        ? await call(fleet.apiUrl, team.key, 'GET', `/v1/deployments/${deployment}`)
        : await call(fleet.apiUrl, team.key, 'POST', '/v1/deployments', create)
      if (response.status === 0 || response.status >= 500) return unsuccessful(response, false)
      const isRefused = isRead ? response.status === 404 : response.text.includes('files_missing')
      return {
        type: 'ok',
        ...seenIn(response),
        value: isRefused ? 'refused' : 'seen',
        note: response.text.slice(0, 100),
      }
    },
  )
}

/** Reads logs and intrudes until `stopping` aborts. */
export function observe(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  const readers = repeat(stopping, 1_500, () => readLog(world, team))
  const strangers = repeat(stopping, 1_500, () => intrude(world, team))
  return Promise.all([readers, strangers])
}
