/** Forged JWTs cause no database query, and take no place in a cache. */
import { createHmac } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { createPrincipals } from '../../../../src/platform/callers/authenticate.ts'
import { createJwts } from '../../../../src/platform/callers/jwt/jwts.ts'
import { createLastUses } from '../../../../src/platform/callers/last-used.ts'
import { createIdentities } from '../../../../src/platform/callers/workloads/identities.ts'
import type { LookUps } from '../../../../src/platform/limits/limit-look-ups.ts'
import { createIdentify } from '../../../../src/platform/trust/identify.ts'
import type { Store } from '../../../../src/stores/db/store.ts'
import { enforcingNode, jwtSecret, mint } from '../../../support/enforcing-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await enforcingNode()
  store = node.installation.store
})

/** The same look-ups, each of which fails. */
const failing = (lookUps: Store['lookUps']) =>
  new Proxy(lookUps, {
    get() {
      throw new Error('There must be no query.')
    },
  })

const unlimited: LookUps = { admit: (_, find) => find() }

it('are refused before any look-up', async () => {
  const team = await newTeam(node)
  const { token } = await mint(node, team.ownerKey)
  const [head = '', payload = ''] = token.split('.')
  const jwts = await createJwts(jwtSecret, 'the secret before, which is taken, too')
  const lastUsed = createLastUses(store.db)
  const principals = createPrincipals({
    store: { ...store, lookUps: failing(store.lookUps) },
    lastUsed,
    jwts,
    identify: createIdentify({ db: store.db, identities: createIdentities([]), nowMs: Date.now }),
    lookUps: unlimited,
    nowMs: Date.now,
  })

  for (let i = 0; i < 100; i += 1) {
    const signature = createHmac('sha256', `guess ${i}`).update(`${head}.${payload}`).digest('base64url')
    const forged = { kind: 'jwt', token: `${head}.${payload}.${signature}` } as const
    await expect(principals.authenticate(forged)).rejects.toMatchObject({ reason: 'unauthorized' })
  }
  const genuine = { kind: 'jwt', token } as const
  await expect(principals.authenticate(genuine)).rejects.toThrow('There must be no query.')
})
