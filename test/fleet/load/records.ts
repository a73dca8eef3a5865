/** DNS records that change, and questions about them to the name server. */

import { decode } from 'dns-packet'
import { z } from 'zod'
import { byUdp, query, rcodeOf } from '../../roles/nameserver/client.ts'
import { until } from '../../support/eventually.ts'
import type { Outcome } from '../history/recorder.ts'
import { call, seenIn, unsuccessful } from './http.ts'
import { repeat } from './pace.ts'
import type { Team, World, Zone } from './world.ts'

const recordSchema = z.object({ id: z.string(), value: z.string() })
const pageSchema = z.object({ data: z.array(recordSchema) })

/** How long a resolver would wait before it asks again. */
const waitMs = 2_000

/** What the only writer of a record knows of it; undefined after an unknown outcome. */
type Known = { id: string } | 'absent' | undefined

/**
 * Creates, changes or deletes the record of a name, whichever is possible. Resolves to what is known then.
 */
async function change(
  world: World,
  team: Team,
  { domain }: Zone,
  name: string,
  known: Known,
): Promise<Known> {
  const { recorder, fleet, next } = world
  const subject = `${name}.${domain}`
  if (known === undefined) return (await read(world, team, { domain }, name)) ?? undefined
  const isDelete = known !== 'absent' && Math.random() < 0.25
  const value = isDelete ? null : `10.1.${next() % 250}.${next() % 250}`
  let after: Known
  const path = `/v1/domains/${domain}/records`
  await recorder.perform(
    { process: `${team.slug}/records`, kind: 'record.set', subject, value },
    async () => {
      const response = await (known === 'absent'
        ? call(fleet.apiUrl, team.key, 'POST', path, { name, type: 'A', value, ttl: 60 })
        : value === null
          ? call(fleet.apiUrl, team.key, 'DELETE', `${path}/${known.id}`)
          : call(fleet.apiUrl, team.key, 'PUT', `${path}/${known.id}`, { value }))
      if (response.status !== 200) return unsuccessful(response, true)
      const id = known === 'absent' ? recordSchema.parse(JSON.parse(response.text)).id : known.id
      after = isDelete ? 'absent' : { id }
      const event = known === 'absent' ? 'record.created' : isDelete ? 'record.deleted' : 'record.updated'
      return { type: 'ok', ...seenIn(response), made: id, value, note: event }
    },
  )
  return after
}

/** Reads the record of a name from the API. Resolves to it, if that succeeded. */
export async function read(
  { recorder, fleet }: World,
  team: Team,
  { domain }: Zone,
  name: string,
): Promise<Known> {
  let found: Known
  const invocation = { process: `${team.slug}/records`, kind: 'record.read', subject: `${name}.${domain}` }
  await recorder.perform(invocation, async () => {
    const path = `/v1/domains/${domain}/records?name=${name}&type=A`
    const response = await call(fleet.apiUrl, team.key, 'GET', path)
    if (response.status !== 200) return unsuccessful(response, false)
    const [record] = pageSchema.parse(JSON.parse(response.text)).data
    found = record ?? 'absent'
    return { type: 'ok', ...seenIn(response), value: record?.value ?? null }
  })
  return found
}

/** Sends a question to the name server by UDP, once. */
async function ask({ recorder, fleet }: World, team: Team, kind: string, subject: string): Promise<void> {
  const node = fleet.nodes.find(({ role }) => role === 'dns')?.name ?? ''
  await recorder.perform({ process: `${team.slug}/resolver`, kind, subject }, async (): Promise<Outcome> => {
    const response = await byUdp(fleet.dnsPort, query(subject, 'A'), waitMs)
    if (!response) return { type: 'fail', status: 0, node, note: 'no response' }
    const packet = decode(response)
    const rcode = String(rcodeOf(packet))
    if (!['NOERROR', 'NXDOMAIN'].includes(rcode)) return { type: 'fail', status: 503, node, note: rcode }
    const [answer] = packet.answers ?? []
    return { type: 'ok', node, value: answer?.type === 'A' ? answer.data : null }
  })
}

/** The names whose records change, each by a writer of its own, and the one that doesn't. */
export const changingNames = ['www', 'api']
const steadyName = 'www'

/**
 * Creates the record that never changes, and waits for the name server's first answer: on a busy machine a
 * process takes long for the first question of its life, whose answer nobody has promised in time.
 */
export async function createSteadyRecord(world: World, team: Team): Promise<void> {
  await change(world, team, team.steadyZone, steadyName, 'absent')
  const question = query(`${steadyName}.${team.steadyZone.domain}`, 'A')
  await until(() => byUdp(world.fleet.dnsPort, question, waitMs))
}

/** Changes records and asks for them until `stopping` aborts. */
export function changeRecords(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  const writers = changingNames.map((name) => {
    let known: Known = 'absent'
    return repeat(stopping, 1_200, async () => {
      known = await change(world, team, team.zone, name, known)
    })
  })
  const readers = changingNames.map((name) =>
    repeat(stopping, 300, () => ask(world, team, 'record.query', `${name}.${team.zone.domain}`)),
  )
  const steady = repeat(stopping, 300, () =>
    ask(world, team, 'record.query.steady', `${steadyName}.${team.steadyZone.domain}`),
  )
  return Promise.all([...writers, ...readers, steady])
}
