/** What a client gets that reads its account. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { version } from '../../../src/lib/version.ts'
import { getAccount } from '../../../src/platform/auth/account.ts'
import type { Principal } from '../../../src/platform/auth/principal.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
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
      version,
      api_url: node.apiUrl,
      sites_url: node.sitesUrl,
      jwt_required: false,
      builds: { available: true, problem: null },
    })
  })

  it('of a key has the user of the key, with or without an email address', async () => {
    const team = await newTeam(node)
    const { userId, key } = await addMember(node, team)
    expect(await accountOf(team.ownerKey)).toMatchObject({ user: { id: team.ownerId }, kind: 'key' })
    expect(await accountOf(key)).toMatchObject({ user: { id: userId, email: null, name: 'member' } })
  })

  it('tells why builds are not available, and whether JWTs are enforced', async () => {
    const team = await newTeam(node)
    const { store } = node.installation
    const deps = { store, apiUrl: node.apiUrl, sitesUrl: node.sitesUrl, jwts: {} }
    const principal: Principal = {
      kind: 'key',
      keyId: 'key_1',
      prefix: 'svc_',
      role: 'owner',
      plan: 'free',
      userId: team.ownerId,
      teamId: team.id,
      teamSlug: team.slug,
    }
    const buildProblem = async () => 'bubblewrap is missing'
    expect(await getAccount({ ...deps, buildProblem }, principal)).toMatchObject({
      jwt_required: true,
      builds: { available: false, problem: 'bubblewrap is missing' },
    })
  })
})
