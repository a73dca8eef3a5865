/** Deploying, promoting and rolling back, and what the API returns of it. */
import { z } from 'zod'
import type { Outcome } from '../history/recorder.ts'
import { call, type Response, seenIn, send, unsuccessful } from './http.ts'
import { oneOf, repeat } from './pace.ts'
import { filesOf, type SiteFile } from './site-files.ts'
import type { Made, Site, Team, World } from './world.ts'

const madeSchema = z.object({ id: z.string(), url: z.string(), live: z.boolean() })
const missingSchema = z.object({ missing: z.array(z.object({ sha256: z.string(), upload_url: z.string() })) })
const projectSchema = z.object({ production_deployment: z.string().nullable() })
const metaSchema = z.object({ meta: z.object({ version: z.string() }) })

type Target = 'production' | 'preview'

/** Deploys a new version by digest, uploading what is missing, as clients do. */
export async function deploy(
  { recorder, fleet, next }: World,
  team: Team,
  site: Site,
  target: Target = 'production',
): Promise<Made | undefined> {
  const version = `${site.project}@${next()}`
  const kind = target === 'production' ? 'deploy' : 'preview'
  let made: Made | undefined
  await recorder.perform(
    { process: `${team.slug}/deployer`, kind, subject: site.project, value: version },
    async () => {
      const files = filesOf(version)
      const listed = files.map(({ path, sha256, bytes }) => ({ path, sha256, size: bytes.length }))
      const body = { project: site.project, target, files: listed, meta: { version } }
      const create = () => call(fleet.apiUrl, team.key, 'POST', '/v1/deployments', body)
      let created = await create()
      const missing = created.status === 400 ? missingSchema.safeParse(JSON.parse(created.text)) : undefined
      if (missing?.success) {
        const failed = await uploadAll(missing.data.missing, files)
        // Without its files there is no deployment.
        if (failed) return { ...unsuccessful(failed, false), note: `upload: ${failed.text.slice(0, 150)}` }
        created = await create()
      }
      if (created.status !== 200) return unsuccessful(created, true)
      const { id, url, live } = madeSchema.parse(JSON.parse(created.text))
      made = { version, deployment: id, host: new URL(url).host }
      site.made.push(made)
      const value = target === 'production' && live ? { value: version } : {}
      return { type: 'ok', ...seenIn(created), made: id, ...value }
    },
  )
  return made
}

/** The first response that isn't a success, if any. */
async function uploadAll(
  missing: { sha256: string; upload_url: string }[],
  files: SiteFile[],
): Promise<Response | undefined> {
  const responses = await Promise.all(
    missing.map(({ sha256, upload_url }) => {
      const body = files.find((file) => file.sha256 === sha256)?.bytes ?? Buffer.alloc(0)
      return send(upload_url, { method: 'PUT', body })
    }),
  )
  return responses.find(({ status }) => status !== 200)
}

/** Promotes an older or newer deployment. */
export async function promote({ recorder, fleet }: World, team: Team, site: Site): Promise<void> {
  if (site.made.length === 0) return
  const { version, deployment } = oneOf(site.made.slice(-12))
  const invocation = {
    process: `${team.slug}/promoter`,
    kind: 'promote',
    subject: site.project,
    value: version,
  }
  await recorder.perform(invocation, async () => {
    const response = await call(fleet.apiUrl, team.key, 'POST', `/v1/deployments/${deployment}/promote`)
    if (response.status !== 200) return unsuccessful(response, true)
    return { type: 'ok', ...seenIn(response), made: deployment, value: version }
  })
}

/** Reads which version is live, from the API. */
export async function readProject(
  { recorder, fleet }: World,
  team: Team,
  { project, made }: Site,
): Promise<void> {
  await recorder.perform(
    { process: `${team.slug}/reader`, kind: 'project.read', subject: project },
    async () => {
      const response = await call(fleet.apiUrl, team.key, 'GET', `/v1/projects/${project}`)
      if (response.status !== 200) return unsuccessful(response, false)
      const { production_deployment: id } = projectSchema.parse(JSON.parse(response.text))
      const known = made.find(({ deployment }) => deployment === id)?.version
      return versionOf(response, known ?? id, async () =>
        call(fleet.apiUrl, team.key, 'GET', `/v1/deployments/${id}`),
      )
    },
  )
}

/** The version of a deployment that was not acknowledged is in its `meta`, which never changes. */
async function versionOf(
  seen: Response,
  known: string | null,
  look: () => Promise<Response>,
): Promise<Outcome> {
  if (known === null || known.includes('@')) return { type: 'ok', ...seenIn(seen), value: known }
  const response = await look()
  if (response.status !== 200) return unsuccessful(response, false)
  return { type: 'ok', ...seenIn(seen), value: metaSchema.parse(JSON.parse(response.text)).meta.version }
}

/** Deploys, promotes and reads the sites of a team until `stopping` aborts. */
export function changeSites(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  const deployers = repeat(stopping, 1_200, async () => {
    await deploy(world, team, oneOf(team.sites), Math.random() < 0.3 ? 'preview' : 'production')
  })
  const promoters = repeat(stopping, 1_000, () => promote(world, team, oneOf(team.sites)))
  const readers = repeat(stopping, 400, () => readProject(world, team, oneOf(team.sites)))
  return Promise.all([deployers, promoters, readers])
}
