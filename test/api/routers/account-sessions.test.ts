/** The sessions of a person: reading the list, and ending them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { clientOf, newPerson, signIn } from '../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Clients of one person, each with a session of its own. */
async function newSessions(of: TestNode, count: number) {
  const person = await newPerson(of)
  const clients = []
  for (let i = 0; i < count; i += 1) clients.push(clientOf(of, await signIn(of, person)))
  return clients.map((client) => ({ client, own: () => ownSession(client) }))
}

type Client = ReturnType<typeof clientOf>

async function ownSession(client: Client) {
  const { data } = await client.account.sessions.query({})
  const own = data.find(({ current }) => current)
  if (!own) throw new Error('The list does not have the own session.')
  return own
}

async function isSignedIn(client: Client): Promise<boolean> {
  return client.account.get.query({}).then(
    () => true,
    () => false,
  )
}

const notFound = { data: { reason: 'session_not_found', httpStatus: 404 } }

describe('the list', () => {
  it('has the own sessions only, with device, address and times, and marks the present one', async () => {
    const person = await newPerson(node)
    const beforeMs = Date.now()
    const here = clientOf(node, await signIn(node, person, { 'user-agent': firefox }))
    const there = clientOf(node, await signIn(node, person, { 'user-agent': 'curl/8.5.0' }))
    await newSessions(node, 1)
    const { data } = await here.account.sessions.query({})
    const times = { created_ms: expect.any(Number), last_used_ms: expect.any(Number) }
    const common = { ...times, expires_ms: expect.any(Number), address: '127.0.0.1' }
    const id = expect.stringMatching(/^ses_[0-9a-f]{32}$/)
    expect(data).toHaveLength(2)
    expect(data).toContainEqual({ ...common, id, device: 'Firefox on Linux', current: true })
    expect(data).toContainEqual({ ...common, id, device: 'curl', current: false })
    for (const { created_ms, expires_ms } of data) {
      expect(created_ms).toBeGreaterThanOrEqual(beforeMs)
      expect(expires_ms).toBeGreaterThan(created_ms)
    }
    expect((await ownSession(there)).device).toBe('curl')
  })
})

describe.each<[string, () => Promise<TestNode>]>([
  ['with the session itself', async () => node],
  ['with JWTs of it, where they are required', () => enforcingNode()],
])('%s', (_, at) => {
  let of: TestNode

  beforeAll(async () => {
    of = await at()
  })

  it('a session that is ended is out at once', async () => {
    const [here, there] = await newSessions(of, 2)
    const { id } = (await there?.own()) ?? { id: '' }
    expect(await there?.client.account.update.mutate({ name: 'Ada' })).toMatchObject({ name: 'Ada' })
    expect(await here?.client.account.endSession.mutate({ id })).toEqual({ id, deleted: true })
    await expect(there?.client.account.get.query({})).rejects.toMatchObject({ data: { httpStatus: 401 } })
    await expect(there?.client.account.update.mutate({ name: 'Eve' })).rejects.toMatchObject({
      data: { httpStatus: 401 },
    })
    expect((await here?.client.account.get.query({}))?.user.name).toBe('Ada')
    await expect(here?.client.account.endSession.mutate({ id })).rejects.toMatchObject(notFound)
  })

  it('all others end, and the present one goes on', async () => {
    const [first, here, third] = await newSessions(of, 3)
    const [stranger] = await newSessions(of, 1)
    expect(await here?.client.account.endOtherSessions.mutate({})).toEqual({ ended: 2 })
    const clients = [first, here, third, stranger].flatMap((each) => (each ? [each.client] : []))
    expect(await Promise.all(clients.map(isSignedIn))).toEqual([false, true, false, true])
    expect(await here?.client.account.endOtherSessions.mutate({})).toEqual({ ended: 0 })
  })
})

describe("another person's session", () => {
  it('is not found, as is one that does not exist, and stays open', async () => {
    const [here] = await newSessions(node, 1)
    const [theirs] = await newSessions(node, 1)
    const { id } = (await theirs?.own()) ?? { id: '' }
    const messages = []
    for (const each of [id, newId('session', Date.now()), 'ses_1', 'x']) {
      const ending = here?.client.account.endSession.mutate({ id: each })
      await expect(ending).rejects.toMatchObject(notFound)
      messages.push(await ending?.catch((error: Error) => error.message))
    }
    expect(new Set(messages).size).toBe(1)
    expect((await theirs?.own())?.id).toBe(id)
  })
})
