/** Changing the password of a person who is signed in. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../../../src/stores/db/schema/people.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { clientOf, newPerson, type Person, password, signIn } from '../../support/person.ts'

let node: TestNode

const newPassword = 'a new and better password'
const wrong = 'not the password'

beforeAll(async () => {
  node = await sharedNode()
  knowSecret('a password', newPassword)
  knowSecret('a password', wrong)
})

afterEach(() => {
  node.clock.aheadMs = 0
})

const change = (client: ReturnType<typeof clientOf>, current = password) =>
  client.account.changePassword.mutate({ current_password: current, new_password: newPassword })

const refusal = (message: string) => ({
  data: {
    reason: 'invalid_input',
    httpStatus: 400,
    issues: [{ path: 'current_password', message: expect.stringContaining(message) }],
  },
})

const limited = { data: { reason: 'rate_limited', httpStatus: 429, retry_after_ms: expect.any(Number) } }

describe.each<[string, () => Promise<TestNode>]>([
  ['with the session itself', async () => node],
  ['with a JWT of it, where one is required', () => enforcingNode()],
])('%s', (_, at) => {
  let of: TestNode

  beforeAll(async () => {
    of = await at()
  })

  it('the new password works, the old one no longer does', async () => {
    const person = await newPerson(of)
    await change(clientOf(of, await signIn(of, person)))
    await expect(signIn(of, person)).rejects.toThrow('401')
    await signIn(of, { ...person, password: newPassword })
  })

  it('other sessions are out at once, and the present one goes on', async () => {
    const person = await newPerson(of)
    const [here, there] = [clientOf(of, await signIn(of, person)), clientOf(of, await signIn(of, person))]
    expect(await there.account.update.mutate({ name: 'Ada' })).toMatchObject({ name: 'Ada' })
    expect(await change(here)).toEqual({ ended: 1 })
    await expect(there.account.get.query({})).rejects.toMatchObject({ data: { httpStatus: 401 } })
    await expect(there.account.update.mutate({ name: 'Eve' })).rejects.toMatchObject({
      data: { httpStatus: 401 },
    })
    expect(await here.account.update.mutate({ name: 'Ada L.' })).toMatchObject({ name: 'Ada L.' })
  })
})

describe('a wrong password', () => {
  it('changes nothing, and ends no session', async () => {
    const person = await newPerson(node)
    const [here, there] = [
      clientOf(node, await signIn(node, person)),
      clientOf(node, await signIn(node, person)),
    ]
    await expect(change(here, wrong)).rejects.toMatchObject(refusal('is not your password'))
    await there.account.get.query({})
    await signIn(node, person)
  })

  it('can be tried five times a minute, whichever session of the person tries, also at once', async () => {
    const person = await newPerson(node)
    const clients = [clientOf(node, await signIn(node, person)), clientOf(node, await signIn(node, person))]
    const tries = await Promise.allSettled(
      [...clients, ...clients, ...clients].map((each) => change(each, wrong)),
    )
    const reasons = tries.map((each) => (each.status === 'rejected' ? each.reason.data.reason : 'done'))
    expect(reasons.filter((reason) => reason === 'invalid_input')).toHaveLength(5)
    expect(reasons.filter((reason) => reason === 'rate_limited')).toHaveLength(1)
    for (const client of clients) await expect(change(client)).rejects.toMatchObject(limited)
    // Another way to the same.
    const elsewhere: Person = await signIn(node, person)
    const answer = await elsewhere.call('POST', '/change-password', {
      currentPassword: password,
      newPassword,
    })
    expect(answer).toMatchObject({ status: 429, body: { reason: 'rate_limited' } })

    const stranger = clientOf(node, await signIn(node, await newPerson(node)))
    await expect(change(stranger, wrong)).rejects.toMatchObject(refusal('is not your password'))
    node.clock.aheadMs = 60_000
    await change(clientOf(node, elsewhere))
  })
})

it('of two changes at once, one is made', async () => {
  const person = await newPerson(node)
  const client = clientOf(node, await signIn(node, person))
  const other = clientOf(node, await signIn(node, person))
  const settled = await Promise.allSettled([change(client), change(other)])
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('a person without a password gets that for a reason, and nothing is tried', async () => {
  const client = clientOf(node, await signIn(node, await newPerson(node)))
  const { user } = await client.account.get.query({})
  await node.installation.store.db.delete(accounts).where(eq(accounts.userId, user.id))
  for (let i = 0; i < 7; i += 1) await expect(change(client)).rejects.toMatchObject(refusal('not set'))
})

it.each(['short', 'x'.repeat(129)])('a new password of a wrong length is refused: %j', async (next) => {
  const client = clientOf(node, await signIn(node, await newPerson(node)))
  const changing = client.account.changePassword.mutate({ current_password: password, new_password: next })
  await expect(changing).rejects.toMatchObject({
    data: { reason: 'invalid_input', issues: [{ path: 'new_password' }] },
  })
})
