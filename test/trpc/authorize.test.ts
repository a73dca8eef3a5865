import { tracked } from '@trpc/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Principal, Role } from '../../src/auth/principal.ts'
import { createKnownBlobs } from '../../src/blobs/known-blobs.ts'
import { createDomainResolver } from '../../src/domains/check/resolver.ts'
import { createFeeds } from '../../src/events/live/feeds.ts'
import { createCall } from '../../src/trpc/call.ts'
import type { Context } from '../../src/trpc/context.ts'
import { definitionsOf } from '../../src/trpc/definition.ts'
import { procedure, router } from '../../src/trpc/init.ts'
import { streamOf } from '../../src/trpc/stream-of.ts'
import { createTestLog } from '../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { believed } from '../support/removal.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** Procedures as the app router could have them, without a place in the REST API. */
const onlyRpc = router({
  projects: router({
    delete: procedure
      .input(z.strictObject({}))
      .output(z.literal('done'))
      .mutation(async () => 'done' as const),
  }),
  follow: procedure
    .input(z.strictObject({}))
    .output(streamOf(z.literal('done')))
    .subscription(async function* () {
      yield tracked('1', 'done' as const)
    }),
  unlisted: procedure
    .input(z.strictObject({}))
    .output(z.literal('done'))
    .query(async () => 'done' as const),
})

const calls = new Map(definitionsOf(onlyRpc).map((each) => [each.name, createCall(each)]))

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
    certifiedUrl: node.certifiedUrl,
    routing: { addresses: [], cname: undefined },
    nameservers: [],
    removal: believed(Date.now),
    resolver: createDomainResolver({
      servers: [],
      cname: undefined,
      nowMs: Date.now,
      stopping: new AbortController().signal,
    }),
    feeds: createFeeds({ store, log: createTestLog([]), nowMs: Date.now }),
    knownBlobs: createKnownBlobs(),
    resolvePrivate: false,
    envKey: Buffer.alloc(32),
    webhookKey: Buffer.alloc(32),
    certificateKey: Buffer.alloc(32),
    webhooksAllowPrivate: false,
    uploadKey: Buffer.alloc(32),
    caps: { maxFiles: 1, maxFileBytes: 1, maxDeploymentBytes: 1 },
    buildProblem: async () => undefined,
    maxQueuedBuilds: 1,
    observe: { answered: () => {}, limited: () => {}, replayed: () => {} },
    metricsDays: 400,
    nowMs: Date.now,
  }
  const ctx: Context = {
    services,
    principal,
    requestId: '',
    address: '',
    limit: { perSecond: 1, burst: 1, remaining: 1 },
    tokens: { kind: 'calls', left: 1 },
    idempotencyKey: undefined,
    takesKey: true,
    remember: undefined,
    zip: undefined,
    authenticateAgain: async () => {},
    signal: new AbortController().signal,
  }
  return (name: string) => calls.get(name)?.(ctx, {})
}

describe('a procedure without an operation', () => {
  it('requires its role like any other', async () => {
    expect(await caller('owner')('projects.delete')).toBe('done')
    await expect(caller('member')('projects.delete')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      reason: 'role_required',
    })
  })

  it('is refused to everybody while it has no required role', async () => {
    await expect(caller('owner')('unlisted')).rejects.toThrow('No role is set for unlisted.')
  })
})

describe('a procedure', () => {
  it('does not run for a call that its request drew no token for', async () => {
    const call = caller('owner')
    expect(await call('projects.delete')).toBe('done')
    await expect(call('projects.delete')).rejects.toThrow('projects.delete was called without a token')
  })

  it('opens no stream for the token of a plain call', async () => {
    await expect(caller('owner')('follow')).rejects.toThrow('follow was called without a token')
  })

  it('is refused with a middleware, which single calls would skip', () => {
    const open = procedure.use(({ next }) => next())
    const guarded = router({
      guarded: open
        .input(z.strictObject({}))
        .output(z.null())
        .query(() => null),
    })
    expect(() => definitionsOf(guarded)).toThrow('guarded: ✖ has a middleware of its own')
  })

  it('is refused without an input, or without an output', () => {
    const [noInput, noOutput] = [
      router({ bare: procedure.output(z.null()).query(() => null) }),
      router({ bare: procedure.input(z.strictObject({})).query(() => null) }),
    ]
    for (const each of [noInput, noOutput]) expect(() => definitionsOf(each)).toThrow('bare: ')
  })
})
