/** Ways to make operations refuse on nodes with other settings, or with a broken or unreachable store. */

import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { createClient } from '../../../../src/api/client/index.ts'
import { builtPlace } from '../../../../src/api/server/dashboard/dashboard.ts'
import { defaultTimeouts } from '../../../../src/api/server/http/timeouts.ts'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { createUnreadLimits, unreadBytesOf } from '../../../../src/lib/net/unread/limits.ts'
import { startApi } from '../../../../src/operate/node/api.ts'
import { gitOf } from '../../../../src/operate/node/data-places.ts'
import { createPrincipals } from '../../../../src/platform/callers/authenticate.ts'
import { createLastUses } from '../../../../src/platform/callers/last-used.ts'
import { createIdentities } from '../../../../src/platform/callers/workloads/identities.ts'
import { createDomainResolver } from '../../../../src/platform/domains/check/resolver.ts'
import { createRefusalCounter } from '../../../../src/platform/forges/refusals/count.ts'
import { createGitKeepers } from '../../../../src/platform/git/git-leases.ts'
import { createRepositoryBounds } from '../../../../src/platform/git/repository-bounds.ts'
import {
  limitsStoreOf,
  ownRatesOf,
  policiesOf,
} from '../../../../src/platform/limits/limits-from-settings.ts'
import { openLimits } from '../../../../src/platform/limits/open-limits.ts'
import { createOwnLimits } from '../../../../src/platform/limits/own-limits.ts'
import { probeSandbox } from '../../../../src/platform/sandbox/probe.ts'
import { createUids } from '../../../../src/platform/sandbox/uids.ts'
import { createIdentify } from '../../../../src/platform/trust/identify.ts'
import { teams } from '../../../../src/stores/db/schema/teams.ts'
import { ownNode } from '../../../platform/sandbox/own-node.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { enforcingNode, jwtSecret, mint } from '../../../support/enforcing-node.ts'
import { startIssuer } from '../../../support/identity-issuer.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { believed } from '../../../support/removal.ts'
import { newTeam } from '../../../support/team.ts'
import { newFixture } from '../every-procedure.ts'
import { connectRaw, exchange, head } from '../raw-http.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { json } from './any-refusal.ts'
import { contextOf, headOf, type Refusal, refusalOf, type WayContext, type Ways } from './ways.ts'

type Started = { ways: Ways; stop(): Promise<void> }

/** The nodes are shared, and each way makes one call at a time. */
export const fewConnections = { SVC_DATABASE_CONNECTIONS: '1' }

/**
 * A node that refuses instead of waiting, whose teams on one plan may call once a second, and whose disk is
 * nearly full.
 */
export async function startStrict(): Promise<Started> {
  const node = await startOwnNode(
    {
      ...fewConnections,
      SVC_RATE_ENTERPRISE: '1/1',
      SVC_STORAGE_FREE: '1',
      SVC_DISK_RESERVE: String(1024 ** 5),
    },
    { ...defaultTimeouts, bodyMs: 100 },
  )
  const team = await newTeam(node)
  const limited = await newTeam(node)
  const stored = await newTeam(node)
  await node.installation.store.db.update(teams).set({ plan: 'pro' }).where(eq(teams.id, stored.id))
  await node.installation.store.db.update(teams).set({ plan: 'enterprise' }).where(eq(teams.id, limited.id))

  async function tooOften({ call }: WayContext): Promise<Refusal> {
    for (;;) {
      const answer = await call({}, { node, token: limited.ownerKey })
      if (answer.status === 429) return answer
    }
  }

  async function tooSlowly(context: WayContext): Promise<Refusal> {
    const text = headOf(context, [json, 'Content-Length: 100'], team.ownerKey)
    return refusalOf(await exchange(node, text))
  }

  async function tooMuch({ call }: WayContext): Promise<Refusal> {
    await team.owner('PUT', '/v1/projects/full')
    const files = [{ path: 'index.html', content: 'larger than a byte' }]
    return call({ project: 'full', files }, { node, token: team.ownerKey })
  }

  async function withoutSpace({ call }: WayContext): Promise<Refusal> {
    await stored.owner('PUT', '/v1/projects/full')
    const files = [{ path: 'index.html', content: 'page' }]
    return call({ project: 'full', files }, { node, token: stored.ownerKey })
  }

  return {
    ways: {
      rate_limited: tooOften,
      request_timeout: tooSlowly,
      storage_quota: tooMuch,
      disk_full: withoutSpace,
    },
    stop: () => node.stop(),
  }
}

/** A node on which a team has used up its budget for bodies. */
export async function startCrowded(): Promise<Started> {
  const patient = { ...defaultTimeouts, bodyMs: 600_000, bodyWaitMs: 1 }
  const node = await startOwnNode(
    { ...fewConnections, SVC_BODY_BYTES: '1', SVC_MAX_JSON_BYTES: '80000' },
    patient,
  )
  const { ownerKey } = await newTeam(node)
  const held = await Promise.all(
    // Together they are the team's share, whichever arrives first.
    [45_000, 45_000].map(async (bytes) => {
      const connection = await connectRaw(node)
      const authorization = `Authorization: Bearer ${ownerKey}`
      connection.send(head('PUT /v1/projects/web', authorization, json, `Content-Length: ${bytes}`))
      return connection
    }),
  )

  async function tooMuch(context: WayContext): Promise<Refusal> {
    for (;;) {
      const text = headOf(context, [json, 'Content-Length: 2'], ownerKey)
      const answer = refusalOf(await exchange(node, `${text}{}`))
      // The held requests may still be on their way there.
      if (answer.status === 429) return answer
    }
  }

  return {
    ways: { too_many_waiting: tooMuch },
    async stop() {
      for (const { socket } of held) socket.destroy()
      await node.stop()
    },
  }
}

const unreachable = async () => ({ failure: 'There is no forge.', isFinal: true })

/** Another API server on the node's store, whose host lacks what builds need. */
export async function startWithoutSandbox(node: TestNode): Promise<Started> {
  const { installation, settings, sitesUrl, certifiedUrl } = node
  const { store } = installation
  const log = createLogger({ write: () => {} })
  const passed = {
    jwts: undefined,
    certificates: undefined,
    outboxes: undefined,
    forgeFetchFor: () => unreachable,
    forgeRefusals: createRefusalCounter({ db: store.db, nowMs: Date.now }),
    log,
    nowMs: Date.now,
    stopping: new AbortController().signal,
    gitKeepers: createGitKeepers({ count: 2, bytes: 0 }),
    repositories: createRepositoryBounds(gitOf(settings)),
  }
  const routing = { addresses: [], cname: undefined }
  const unread = createUnreadLimits({ ...unreadBytesOf(1), log })
  const ownLimits = createOwnLimits(ownRatesOf(settings))
  const limits = await openLimits({
    policies: policiesOf(settings),
    own: ownLimits,
    store: limitsStoreOf(settings),
    log,
  })
  const { url, close } = await startApi({
    settings,
    installation,
    sitesUrl,
    certifiedUrl,
    routing,
    limits,
    ownLimits,
    unread,
    timeouts: defaultTimeouts,
    dashboard: builtPlace,
    ...passed,
    trustedIssuers: [],
    removal: believed(Date.now),
    resolver: createDomainResolver({ servers: settings.SVC_RESOLVERS, ...routing, ...passed }),
    principals: createPrincipals({
      store,
      lookUps: limits.lookUps,
      lastUsed: createLastUses(store.db),
      identify: createIdentify({ db: store.db, identities: createIdentities([]), ...passed }),
      ...passed,
    }),
    readiness: () => Promise.reject(new Error('Nobody asks.')),
    observe: { answered: () => {}, limited: () => {}, replayed: () => {} },
    buildProblem: async () => {
      const probed = {
        root: settings.SVC_DATA_DIR,
        network: 'none',
        uids: createUids(),
        node: ownNode,
      } as const
      return (await probeSandbox(probed, '/nowhere'))?.builds
    },
  })
  return {
    ways: {
      builds_not_available: ({ call }) =>
        call({ build: { build_command: 'true' } }, { node: { ...node, apiUrl: url } }),
    },
    async stop() {
      await close(0)
      unread.stop()
    },
  }
}

/** The node that enforces JWTs, which the tests of this process share. */
export async function startEnforcing(): Promise<Ways> {
  const node = await enforcingNode()
  const { ownerKey } = await newTeam(node)
  const { token } = await mint(node, ownerKey)
  return {
    jwt_required: ({ call }) => call({}, { node, token: ownerKey }),
    jwt_cannot_mint: ({ call }) => call({}, { node, token }),
  }
}

/** A node that trusts two issuers, one of which is away, and a job that one of its projects trusts. */
export async function startTrusting(): Promise<Started> {
  const issuer = await startIssuer()
  const away = 'http://127.0.0.1:1'
  const node = await startOwnNode({
    ...fewConnections,
    SVC_JWT_SECRET: jwtSecret,
    SVC_OIDC_TRUST: `${issuer.url},${away}`,
  })
  const { slug, ownerKey } = await newTeam(node)
  const owner = createClient({ url: node.apiUrl, token: ownerKey, retry: false })
  const project = 'trusting'
  await owner.projects.put.mutate({ project })
  await owner.trust.create.mutate({ project, issuer: issuer.url, claims: { sub: 'job' } })
  const showing = async (claims: object) => ({
    oidc_token: await issuer.token({ aud: node.apiUrl, ...claims }),
    team: slug,
    project,
  })
  const { token } = await createClient({ url: node.apiUrl, retry: false }).tokens.mint.mutate(
    await showing({ sub: 'job' }),
  )
  const anonymous = { node, token: null }
  return {
    ways: {
      scope: ({ name, call }) =>
        call(name === 'deployments.create' ? { project, target: 'production' } : {}, { node, token }),
      not_trusted: async ({ call }) => call(await showing({ sub: 'other' }), anonymous),
      issuer_unavailable: async ({ call }) => call(await showing({ iss: away }), anonymous),
    },
    async stop() {
      await node.stop()
      issuer.close()
    },
  }
}

/** The tables that authentication reads; all others are dropped from a broken database. */
const ofCallers = ['api_keys', 'members', 'teams', 'users']

/** A node whose database has little left but its callers. */
export async function startBroken(): Promise<Started> {
  const node = await startOwnNode(fewConnections)
  const own = await newFixture(node)
  const { db } = node.installation.store
  await db.execute(sql`
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not in
        (${sql.raw(ofCallers.map((each) => `'${each}'`).join(', '))})
      loop execute format('drop table %I cascade', name); end loop;
    end $$`)
  for (const table of ['teams', 'api_keys']) {
    await db.execute(sql.raw(`alter table ${table} drop column name cascade`))
  }
  async function breaks({ name }: WayContext): Promise<Refusal> {
    const { call } = contextOf(node, name, own)
    // The exchange reads nothing itself; but a signed-in user is looked up in tables that were dropped.
    return name === 'tokens.mint' ? call({}, { token: randomBytes(16).toString('hex') }) : call()
  }
  return { ways: { internal_error: breaks }, stop: () => node.stop() }
}

/** A node that is cut off from its database, which is possible with PostgreSQL only. */
export async function startCutOff(database: string): Promise<Started> {
  const url = new URL(database)
  const proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
  url.host = `127.0.0.1:${proxy.port}`
  const node = await startTestNode({ ...fewConnections, DATABASE_URL: url.href, SVC_ROLES: 'api,edge' })
  const own = await newFixture(node)
  await proxy.cut()
  // postgres.js never answers a query that starts between the error and the close of its connection.
  while ((await fetch(new URL('/readyz', node.apiUrl))).status !== 503);
  return {
    ways: { store_unavailable: ({ name }) => contextOf(node, name, own).call() },
    async stop() {
      await proxy.restore()
      await node.stop()
      await proxy.cut()
    },
  }
}
