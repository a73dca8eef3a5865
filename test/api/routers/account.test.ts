/** What a client gets that reads its account, and the name that a person chooses. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { version } from '../../../src/lib/version.ts'
import type { Principal } from '../../../src/platform/callers/principal.ts'
import { getAccount } from '../../../src/platform/people/account.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { noKeyLimits } from '../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { clientOf, newPerson, signIn } from '../../support/person.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const accountOf = (token: string) => createClient({ url: node.apiUrl, token }).account.get.query({})

describe('the account', () => {
  it('of a session has its user, and the installation', async () => {
    const { db } = node.installation.store
    const user = { id: newId('user', Date.now()), email: `${unique('ada')}@example.com`, name: 'Ada' }
    await db.insert(users).values({ ...user, createdMs: Date.now() })
    await joinNewTeam(node, user.id, { personal: true })
    const { token } = await newSession(node, user.id)
    expect(await accountOf(token)).toEqual({
      user,
      kind: 'session',
      unproven: false,
      proof_by_mail: false,
      password_set: false,
      provider: null,
      second_factor: { on: false, app: false, passkeys: 0, recovery_codes: 0 },
      passkeys_problem: null,
      version,
      api_url: node.apiUrl,
      sites_url: node.sitesUrl,
      jwt_required: false,
      builds: { available: true, problem: null, install_problem: null },
    })
  })

  it('of a key has the user of the key, with or without an email address', async () => {
    const team = await newTeam(node)
    const { userId, key } = await addMember(node, team)
    expect(await accountOf(team.ownerKey)).toMatchObject({ user: { id: team.ownerId }, kind: 'key' })
    expect(await accountOf(key)).toMatchObject({ user: { id: userId, email: null, name: 'member' } })
  })

  it('tells whether its user has a password', async () => {
    const client = clientOf(node, await signIn(node, await newPerson(node)))
    expect(await client.account.get.query({})).toMatchObject({ password_set: true, provider: null })
  })

  it('tells why builds are not available, and whether JWTs are enforced', async () => {
    const team = await newTeam(node)
    const { store } = node.installation
    const { apiUrl, sitesUrl } = node
    const deps = { store, apiUrl, sitesUrl, jwts: {}, providerName: undefined, mails: undefined }
    const principal: Principal = {
      kind: 'key',
      keyLimits: noKeyLimits,
      keyId: 'key_1',
      prefix: 'svc_',
      role: 'owner',
      projects: null,
      plan: 'free',
      userId: team.ownerId,
      teamId: team.id,
      teamSlug: team.slug,
    }
    const buildProblem = async () => 'bubblewrap is missing'
    const installProblem = 'no network'
    expect(await getAccount({ ...deps, buildProblem, installProblem }, principal)).toMatchObject({
      jwt_required: true,
      builds: { available: false, problem: 'bubblewrap is missing', install_problem: 'no network' },
    })
  })
})

describe('a new name', () => {
  async function newClient(of: TestNode) {
    return clientOf(of, await signIn(of, await newPerson(of)))
  }

  it('is trimmed, and what the account and the teams show from then on', async () => {
    const client = await newClient(node)
    const { user } = await client.account.get.query({})
    const renamed = { ...user, name: 'Ada Lovelace' }
    expect(await client.account.update.mutate({ name: '  Ada Lovelace ' })).toEqual(renamed)
    expect((await client.account.get.query({})).user).toEqual(renamed)
    const { data: teams } = await client.teams.list.query({})
    const { members } = await client.teams.get.query({ team: teams[0]?.slug ?? '' })
    expect(members).toMatchObject([{ email: user.email, name: 'Ada Lovelace' }])
  })

  it.each(['', '   ', 'x'.repeat(101), 'Ada\nLovelace', 'Ada\u0007', 'Ada\u2028L', 'Ada\u202eecalevoL'])(
    'is refused: %j, and nothing changes',
    async (name) => {
      const client = await newClient(node)
      const before = await client.account.get.query({})
      await expect(client.account.update.mutate({ name })).rejects.toMatchObject({
        data: { reason: 'invalid_input', issues: [{ path: 'name' }] },
      })
      expect(await client.account.get.query({})).toEqual(before)
    },
  )

  it('is chosen with a JWT of the session where one is required', async () => {
    const client = await newClient(await enforcingNode())
    expect(await client.account.update.mutate({ name: 'Grace' })).toMatchObject({ name: 'Grace' })
  })
})

describe('a key', () => {
  it.each<[string, (of: TestNode) => Promise<TestNode>]>([
    ['itself', async (of) => of],
    ['exchanged for a JWT', () => enforcingNode()],
  ])("never acts on the account of who made it: %s, also an owner's of the personal team", async (_, at) => {
    const there = await at(node)
    const { ownerKey, ownerId } = await newTeam(there, { personal: true })
    const session = await newSession(there, ownerId)
    const { account } = createClient({ url: there.apiUrl, token: ownerKey })
    for (const call of [
      () => account.update.mutate({ name: 'Mallory' }),
      () => account.changePassword.mutate({ current_password: 'a guess', new_password: 'another password' }),
      () => account.sessions.query({}),
      () => account.endSession.mutate({ id: session.id }),
      () => account.endOtherSessions.mutate({}),
    ]) {
      await expect(call()).rejects.toMatchObject({ data: { reason: 'role_required', httpStatus: 403 } })
    }
    const mine = createClient({ url: there.apiUrl, token: session.token })
    expect((await mine.account.get.query({})).user.name).toBe('owner')
  })
})
