/** Keys that are made, used, revoked and used again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { call, seenIn, unsuccessful } from './http.ts'
import { repeat } from './pace.ts'
import type { Team, World } from './world.ts'

const keySchema = z.object({ id: z.string(), token: z.string() })

type Key = z.infer<typeof keySchema> & { subject: string }

async function create({ recorder, fleet, next }: World, team: Team): Promise<Key | undefined> {
  const subject = `${team.slug}/k${next()}`
  let key: Key | undefined
  const invocation = { process: `${team.slug}/keys`, kind: 'key.create', subject, value: 'valid' }
  await recorder.perform(invocation, async () => {
    const response = await call(fleet.apiUrl, team.key, 'POST', '/v1/apikeys', {
      name: subject,
      role: 'member',
    })
    if (response.status !== 200) return unsuccessful(response, true)
    key = { subject, ...keySchema.parse(JSON.parse(response.text)) }
    return { type: 'ok', ...seenIn(response), made: key.id, value: 'valid' }
  })
  return key
}

async function use({ recorder, fleet }: World, team: Team, { subject, token }: Key): Promise<void> {
  await recorder.perform({ process: `${team.slug}/keys`, kind: 'key.use', subject }, async () => {
    const response = await call(fleet.apiUrl, token, 'GET', '/v1/projects?limit=1')
    if (response.status === 401) return { type: 'ok', ...seenIn(response), value: null }
    if (response.status !== 200) return unsuccessful(response, false)
    return { type: 'ok', ...seenIn(response), value: 'valid' }
  })
}

async function revoke({ recorder, fleet }: World, team: Team, { subject, id }: Key): Promise<void> {
  const invocation = { process: `${team.slug}/keys`, kind: 'key.revoke', subject, value: null }
  await recorder.perform(invocation, async () => {
    const response = await call(fleet.apiUrl, team.key, 'DELETE', `/v1/apikeys/${id}`)
    if (response.status !== 200) return unsuccessful(response, true)
    return { type: 'ok', ...seenIn(response), made: id, value: null }
  })
}

/** Lists all keys of the team. */
export async function listKeys({ recorder, fleet }: World, team: Team): Promise<void> {
  const pageSchema = z.object({
    data: z.array(z.object({ id: z.string() })),
    next_cursor: z.string().nullable(),
  })
  await recorder.perform(
    { process: `${team.slug}/keys`, kind: 'keys.list', subject: team.slug },
    async () => {
      const list: string[] = []
      for (let cursor = ''; ; ) {
        const response = await call(fleet.apiUrl, team.key, 'GET', `/v1/apikeys?limit=100${cursor}`)
        if (response.status !== 200) return unsuccessful(response, false)
        const { data, next_cursor } = pageSchema.parse(JSON.parse(response.text))
        list.push(...data.map(({ id }) => id))
        if (next_cursor === null) return { type: 'ok', ...seenIn(response), list }
        cursor = `&cursor=${encodeURIComponent(next_cursor)}`
      }
    },
  )
}

/** One in so many keys is kept, to be there at the end. */
const keptShare = 0.3

/** Keeps keys coming and going until `stopping` aborts. */
export function changeKeys(world: World, team: Team, stopping: AbortSignal): Promise<void> {
  return repeat(stopping, 300, async () => {
    const key = await create(world, team)
    if (!key) return
    for (let times = 0; times < 4; times += 1) {
      await use(world, team, key)
      await sleep(80)
    }
    if (Math.random() < keptShare) return
    await revoke(world, team, key)
    // Until after the second in which it may still be accepted.
    for (let times = 0; times < 8; times += 1) {
      await use(world, team, key)
      await sleep(200)
    }
  })
}
