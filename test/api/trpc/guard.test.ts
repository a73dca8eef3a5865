import { initTRPC, tracked } from '@trpc/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { createCall } from '../../../src/api/trpc/call.ts'
import type { Context } from '../../../src/api/trpc/context.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { toAppError } from '../../../src/api/trpc/error-body.ts'
import { procedure, router } from '../../../src/api/trpc/init.ts'
import type { ProcedureMeta } from '../../../src/api/trpc/procedure-meta.ts'
import { streamOf } from '../../../src/api/trpc/stream-of.ts'
import type { AppError } from '../../../src/lib/errors.ts'
import { createJwts, type Jwts } from '../../../src/platform/callers/jwt/jwts.ts'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import type { Principal, Role } from '../../../src/platform/callers/principal.ts'
import { createDomainResolver } from '../../../src/platform/domains/check/resolver.ts'
import { createTurns } from '../../../src/platform/limits/turns.ts'
import { createKnownBlobs } from '../../../src/stores/blobs/known-blobs.ts'
import { createFeeds } from '../../../src/stores/events/live/feeds.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import { noKeyLimits } from '../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { forOwners } from '../server/every-procedure.ts'

let node: TestNode

let team: TestTeam
let member: { userId: string; keyId: string }
let jwts: Jwts

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  const { userId } = await addMember(node, team)
  const key = { teamId: team.id, userId, name: 'a key', role: 'member' as const, createdMs: Date.now() }
  member = { userId, keyId: (await insertKey(node.installation.store.db, key)).id }
  jwts = await createJwts(unique('a secret of at least 32 bytes, unique'))
})

/** Procedures as the app router could have them, without a place in the REST API. */
const onlyRpc = router({
  projects: router({
    delete: procedure
      .meta({ role: 'owner' })
      .input(z.strictObject({}))
      .output(z.literal('done'))
      .mutation(async () => 'done' as const),
  }),
  follow: procedure
    .meta({ role: 'member', limited: 'same' })
    .input(z.strictObject({}))
    .output(streamOf(z.literal('done')))
    .subscription(async function* () {
      yield tracked('1', 'done' as const)
    }),
})

/**
 * The ways in: without tRPC's chain, as REST and single RPC calls, and with it, as batches, streams and
 * callers.
 */
const ways: [string, (ctx: Context, name: 'projects.delete' | 'follow') => Promise<unknown>][] = [
  ['a call', (ctx, name) => direct.get(name)?.(ctx, {}) ?? Promise.reject(new Error(name))],
  [
    'a caller of the router',
    (ctx, name) => {
      const { projects, follow } = onlyRpc.createCaller(ctx)
      return name === 'follow' ? follow({}) : projects.delete({})
    },
  ],
]

const direct = new Map(definitionsOf(onlyRpc).map((each) => [each.name, createCall(each)]))

function contextOf(role: Role): Context {
  const principal: Principal = {
    kind: 'key',
    keyLimits: noKeyLimits,
    prefix: 'svc_Ab3dE6…',
    plan: 'free',
    projects: null,
    ...(role === 'owner' ? { userId: team.ownerId, keyId: 'key_1' } : member),
    teamId: team.id,
    teamSlug: team.slug,
    role,
  }
  const { store, blobs } = node.installation
  const services = {
    store,
    blobs,
    storage: { free: 0, pro: 0, enterprise: 0 },
    jwts: undefined,
    trustedIssuers: [],
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
    factorKey: Buffer.alloc(32),
    passkeyKey: Buffer.alloc(32),
    certificateKey: Buffer.alloc(32),
    webhooksAllowPrivate: false,
    uploadKey: Buffer.alloc(32),
    caps: { maxFiles: 1, maxFileBytes: 1, maxDeploymentBytes: 1 },
    buildProblem: async () => undefined,
    installProblem: undefined,
    maxQueuedBuilds: 1,
    serverRoom: { processes: 1, bytes: 1 },
    observe: { answered: () => {}, limited: () => {}, replayed: () => {} },
    metricsDays: 400,
    providerName: undefined,
    mails: undefined,
    forgeFetchFor: () => async () => ({ failure: 'There is no forge.', isFinal: true }),
    forgeRefusals: { refused: () => {}, accepted: () => {}, flush: async () => {} },
    registrations: createTurns({ team: 1, process: 1 }, 'Wait.'),
    nowMs: Date.now,
  }
  return {
    services,
    principal,
    requestId: '',
    address: '',
    limit: () => ({ perSecond: 1, burst: 1, remaining: 1 }),
    tokens: { kind: 'calls', left: 1 },
    agent: undefined,
    idempotencyKey: undefined,
    remember: undefined,
    zip: undefined,
    authenticateAgain: async () => principal,
    signal: () => new AbortController().signal,
  }
}

/** What a refusal of either way carries. */
async function refusalOf(call: Promise<unknown>): Promise<AppError> {
  try {
    await call
  } catch (error) {
    return toAppError(error)
  }
  throw new Error('The call was not refused.')
}

describe.each(ways)('%s', (_way, call) => {
  it('requires its role', async () => {
    expect(await call(contextOf('owner'), 'projects.delete')).toBe('done')
    expect(await refusalOf(call(contextOf('member'), 'projects.delete'))).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'role_required',
    })
  })

  it('requires a caller', async () => {
    const nobody = { ...contextOf('owner'), principal: undefined }
    expect(await refusalOf(call(nobody, 'projects.delete'))).toMatchObject({ reason: 'unauthorized' })
    const stream = { ...nobody, tokens: { kind: 'streams' as const, left: 1 } }
    expect(await refusalOf(call(stream, 'follow'))).toMatchObject({ reason: 'unauthorized' })
  })

  it('requires a JWT for mutations where JWTs are enforced', async () => {
    const ctx = contextOf('owner')
    const enforced = { ...ctx, services: { ...ctx.services, jwts } }
    expect(await refusalOf(call(enforced, 'projects.delete'))).toMatchObject({ reason: 'jwt_required' })
  })

  it('does not run without a token of the rate limit', async () => {
    const ctx = contextOf('owner')
    expect(await call(ctx, 'projects.delete')).toBe('done')
    const { cause } = await refusalOf(call(ctx, 'projects.delete'))
    expect(cause).toMatchObject({
      message: expect.stringContaining('projects.delete was called without a token'),
    })
  })

  it('opens no stream for the token of a plain call', async () => {
    const { cause } = await refusalOf(call(contextOf('owner'), 'follow'))
    expect(cause).toMatchObject({ message: expect.stringContaining('follow was called without a token') })
  })
})

type Caller = ReturnType<typeof appRouter.createCaller>

/** What only owners may do, in or to the member's own team. */
const callsOfOwners: Record<string, (caller: Caller) => Promise<unknown>> = {
  'projects.delete': ({ projects }) => projects.delete({ project: 'web' }),
  'domains.delete': ({ domains }) => domains.delete({ domain: 'example.com' }),
  'webhooks.create': ({ webhooks }) =>
    webhooks.create({ url: 'https://hooks.example.com/', events: ['project.created'] }),
  'webhooks.delete': ({ webhooks }) => webhooks.delete({ webhook: 'hook_1' }),
  'webhooks.test': ({ webhooks }) => webhooks.test({ webhook: 'hook_1' }),
  'webhooks.redeliver': ({ webhooks }) => webhooks.redeliver({ webhook: 'hook_1', delivery: 'dlv_1' }),
  'webhooks.enable': ({ webhooks }) => webhooks.enable({ webhook: 'hook_1' }),
  'teams.requireSecondFactor': ({ teams }) => teams.requireSecondFactor({ team: team.slug, required: false }),
  'teams.leaving': ({ teams }) => teams.leaving({ team: team.slug, email: null }),
  'teams.put': ({ teams }) => teams.put({ team: team.slug, name: 'Other' }),
  'invitationLinks.create': ({ invitationLinks }) =>
    invitationLinks.create({ team: team.slug, email: 'grace@example.com' }),
  'invitationLinks.list': ({ invitationLinks }) => invitationLinks.list({ team: team.slug }),
  'invitationLinks.revoke': ({ invitationLinks }) => invitationLinks.revoke({ team: team.slug, id: 'inv_1' }),
  'hooks.create': ({ hooks }) => hooks.create({ project: 'web', name: 'cms' }),
  'hooks.list': ({ hooks }) => hooks.list({ project: 'web' }),
  'trust.create': ({ trust }) =>
    trust.create({ project: 'web', issuer: 'https://gitlab.com', claims: { project_id: '1' } }),
  'trust.list': ({ trust }) => trust.list({ project: 'web' }),
  'trust.revoke': ({ trust }) => trust.revoke({ project: 'web', id: 'tp_1' }),
  'git.inspect': ({ git }) => git.inspect({ git: { url: 'https://github.com/acme/web' } }),
  'git.registerHook': ({ git }) => git.registerHook({ project: 'web' }),
  'git.approve': ({ git }) => git.approve({ project: 'web', delivery: 'fdl_1', commit: 'c'.repeat(40) }),
  'hooks.revoke': ({ hooks }) => hooks.revoke({ project: 'web', id: 'dhk_1' }),
  'teams.delete': ({ teams }) => teams.delete({ team: team.slug }),
}

describe('a caller of the app router', () => {
  it.each(forOwners)('refuses %s to members', async (name) => {
    const caller = appRouter.createCaller(contextOf('member'))
    const call = callsOfOwners[name]?.(caller) ?? Promise.reject(new Error(`${name} has no call here.`))
    expect(await refusalOf(call)).toMatchObject({ code: 'FORBIDDEN', reason: 'role_required' })
  })

  it('does what the role may', async () => {
    const { projects } = appRouter.createCaller(contextOf('member'))
    expect(await projects.list({})).toEqual({ data: [], next_cursor: null })
  })

  it('takes no Idempotency-Key, whose response it could not keep', async () => {
    const { tokens } = appRouter.createCaller({ ...contextOf('owner'), idempotencyKey: 'key-1' })
    expect(await refusalOf(tokens.createKey({ name: 'a key' }))).toMatchObject({
      reason: 'invalid_input',
      message: expect.stringContaining('Idempotency-Key'),
    })
  })
})

describe('definitionsOf', () => {
  const bare = procedure.input(z.strictObject({})).output(z.null())
  const read = () => null

  it('refuses a procedure without the guard', () => {
    const t = initTRPC.context<Context>().meta<ProcedureMeta>().create()
    const open = t.procedure.use(({ next }) => next()).meta({ role: 'member', limited: 'same' })
    const unguarded = t.router({ open: open.input(z.strictObject({})).output(z.null()).query(read) })
    expect(() => definitionsOf(unguarded)).toThrow('open: ✖ is not guarded')
  })

  it('refuses a procedure without a role', () => {
    expect(() => definitionsOf(router({ bare: bare.query(read) }))).toThrow('bare: ✖ requires no role')
  })

  it('refuses a procedure with a middleware, which calls without the chain would skip', () => {
    const more = bare.meta({ role: 'member', limited: 'same' }).use(({ next }) => next())
    expect(() => definitionsOf(router({ more: more.query(read) }))).toThrow('no middleware of its own')
  })

  it('refuses a procedure without an input, or without an output', () => {
    const open = procedure.meta({ role: 'member', limited: 'same' })
    for (const each of [
      router({ bare: open.output(z.null()).query(read) }),
      router({ bare: open.input(z.strictObject({})).query(read) }),
    ]) {
      expect(() => definitionsOf(each)).toThrow('bare: ')
    }
  })
})
