import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Principal, Role } from '../../src/auth/principal.ts'
import { createKnownBlobs } from '../../src/blobs/known-blobs.ts'
import { createDomainResolver } from '../../src/domains/check/resolver.ts'
import { procedure, router } from '../../src/trpc/init.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { believed } from '../support/removal.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** Procedures as the app router could have them, without a place in the REST surface. */
const onlyRpc = router({
  projects: router({
    delete: procedure
      .input(z.strictObject({}))
      .output(z.literal('done'))
      .mutation(() => 'done' as const),
  }),
  unlisted: procedure
    .input(z.strictObject({}))
    .output(z.literal('done'))
    .query(() => 'done' as const),
})

function caller(role: Role) {
  const principal: Principal = {
    kind: 'key',
    prefix: 'svc_Ab3dE6…',
    plan: 'free',
    keyId: 'key_1',
    userId: 'usr_1',
    teamId: 'team_1',
    teamSlug: 'team',
    role,
  }
  const { store, blobs } = node.installation
  const services = {
    store,
    blobs,
    storage: { free: 0, pro: 0, enterprise: 0 },
    jwts: undefined,
    apiUrl: node.apiUrl,
    sitesUrl: node.sitesUrl,
    routing: { addresses: [], cname: undefined },
    nameservers: [],
    removal: believed(Date.now),
    resolver: createDomainResolver({
      servers: [],
      cname: undefined,
      nowMs: Date.now,
      stopping: new AbortController().signal,
    }),
    knownBlobs: createKnownBlobs(),
    resolvePrivate: false,
    envKey: Buffer.alloc(32),
    webhookKey: Buffer.alloc(32),
    webhooksAllowPrivate: false,
    uploadKey: Buffer.alloc(32),
    caps: { maxFiles: 1, maxFileBytes: 1, maxDeploymentBytes: 1 },
    buildProblem: async () => undefined,
    maxQueuedBuilds: 1,
    observe: { answered: () => {}, limited: () => {}, replayed: () => {} },
    metricsDays: 400,
    nowMs: Date.now,
  }
  return onlyRpc.createCaller({
    services,
    principal,
    requestId: '',
    address: '',
    limit: { perSecond: 1, burst: 1, remaining: 1 },
    idempotencyKey: undefined,
    remember: undefined,
    authenticateAgain: async () => {},
    signal: new AbortController().signal,
  })
}

describe('a procedure that is no operation', () => {
  it('is held to its role as any other', async () => {
    expect(await caller('owner').projects.delete({})).toBe('done')
    await expect(caller('member').projects.delete({})).rejects.toMatchObject({
      code: 'FORBIDDEN',
      cause: { reason: 'role_required' },
    })
  })

  it('is refused to everybody while no role is named for it', async () => {
    await expect(caller('owner').unlisted({})).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
  })
})
