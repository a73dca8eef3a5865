/** What the load works with: teams with their sites, zones and webhooks. */
import { z } from 'zod'
import { eventTypes } from '../../../src/lib/names/event-types.ts'
import { eventually } from '../../support/eventually.ts'
import type { Recorder } from '../history/recorder.ts'
import type { Fleet } from '../parts/fleet.ts'
import type { Receiver } from '../parts/receiver.ts'
import { call } from './http.ts'
import type { Pushed } from './pushes.ts'
import type { Served } from './servers.ts'

/** A deployment that was acknowledged. */
export type Made = { version: string; deployment: string; host: string }

export type Site = {
  project: string
  /** The host of its production, with the port. */
  host: string
  made: Made[]
}

export type Zone = { domain: string }

export type Team = {
  slug: string
  key: string
  /** Sites that change. */
  sites: Site[]
  /** One that doesn't. */
  steady: Site
  zone: Zone
  steadyZone: Zone
  /** In a run with attacks. */
  pushed?: Pushed
  /** In a run with disturbances. */
  served?: Served
}

export type World = {
  fleet: Fleet
  recorder: Recorder
  teams: Team[]
  /** Numbers versions, keys and records. */
  next: () => number
}

const slugs = ['ada', 'bob', 'eve']

const teamSchema = z.object({ api_key: z.string() })
const projectSchema = z.object({ production_url: z.string() })
const claimSchema = z.object({
  verification: z.array(z.object({ type: z.string(), name: z.string(), value: z.string() })),
})
const verifiedSchema = z.object({ verified: z.literal(true) })
const webhookSchema = z.object({ secret: z.string() })

/** Creates everything, before anything is disturbed. @throws when a call is refused. */
export async function createWorld(fleet: Fleet, recorder: Recorder, receiver: Receiver): Promise<World> {
  const teams: Team[] = []
  for (const slug of slugs) teams.push(await createTeam(fleet, receiver, slug))
  let last = 0
  const next = () => {
    last += 1
    return last
  }
  return { fleet, recorder, teams, next }
}

async function createTeam(fleet: Fleet, receiver: Receiver, slug: string): Promise<Team> {
  const made = await must(fleet, fleet.key, ['PUT', `/v1/teams/${slug}`, { name: slug }], teamSchema)
  const key = made.api_key
  const site = async (name: string): Promise<Site> => {
    const project = `${slug}-${name}`
    const { production_url } = await must(fleet, key, ['PUT', `/v1/projects/${project}`, {}], projectSchema)
    return { project, host: new URL(production_url).host, made: [] }
  }
  const hook = { url: `${receiver.url}/${slug}`, events: eventTypes }
  const { secret } = await must(fleet, key, ['POST', '/v1/webhooks', hook], webhookSchema)
  receiver.expect(slug, secret)
  const [one, two, steady] = [await site('one'), await site('two'), await site('steady')]
  const [zone, steadyZone] = [
    await claim(fleet, key, `${slug}-zone.net`),
    await claim(fleet, key, `${slug}-steady.net`),
  ]
  return { slug, key, sites: [one, two], steady, zone, steadyZone }
}

async function claim(fleet: Fleet, key: string, domain: string): Promise<Zone> {
  const { verification } = await must(fleet, key, ['PUT', `/v1/domains/${domain}`, {}], claimSchema)
  for (const { name, value } of verification) fleet.resolver.set(name, 'TXT', [value])
  // While a dozen processes start, a look-up of the records may be late, and the domain not proven yet.
  await eventually(() => must(fleet, key, ['POST', `/v1/domains/${domain}/verify`], verifiedSchema), {
    everyMs: 1_000,
  })
  return { domain }
}

type Call = ['PUT' | 'POST', string, unknown?]

async function must<T>(
  fleet: Fleet,
  key: string,
  [method, path, body]: Call,
  schema: z.ZodType<T>,
): Promise<T> {
  const { status, text } = await call(fleet.apiUrl, key, method, path, body)
  const parsed = status === 200 ? schema.safeParse(JSON.parse(text)) : undefined
  if (parsed?.success) return parsed.data
  throw new Error(`${method} ${path} got ${status}: ${text.slice(0, 300)}`)
}
