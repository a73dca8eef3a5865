/**
 * A real edge on a port of its own, with one database for the whole process, and helpers that create sites.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { inject } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { resolveLocally } from '../../../src/lib/net/resolve.ts'
import type { Principal } from '../../../src/platform/callers/principal.ts'
import { createLateRefusals } from '../../../src/platform/limits/late-refusals.ts'
import { parseHeaders } from '../../../src/platform/sites/rules/headers.ts'
import { parseRedirects } from '../../../src/platform/sites/rules/redirects.ts'
import { createOriginAgents } from '../../../src/roles/edge/forward/origin-agents.ts'
import { createEdgeServer, type EdgeDeps } from '../../../src/roles/edge/server.ts'
import { createSites } from '../../../src/roles/edge/sites.ts'
import { createPersonVisits } from '../../../src/roles/edge/visitors/person-visits.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { openPglite } from '../../../src/stores/db/open-database.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { manifestEntries, manifests } from '../../../src/stores/db/schema/manifests.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { createStore, type Store } from '../../../src/stores/db/store.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import { prepareDataDirectory } from '../../support/template.ts'

export type Edge = {
  port: number
  /** What it calls for each request. */
  handle: RequestListener
  store: Store
  blobs: BlobStore
  blobDirectory: string
  /** Every line that the edge logged. */
  logged: string[]
  /** Milliseconds added to the system's time. */
  clock: { aheadMs: number }
  /** The principals of `Authorization` values; an Error makes the look-up fail. */
  callers: Map<string, Principal | Error>
  close(): Promise<void>
}

let opened: Promise<Store> | undefined

async function openStore(): Promise<Store> {
  const directory = join(inject('directory'), randomBytes(4).toString('hex'))
  await prepareDataDirectory(directory)
  const database = await openPglite(join(directory, 'db'))
  return createStore(database)
}

/** Starts an edge whose sites are below `localhost`, unless `changes` override it. */
export async function startEdge({
  store: otherStore,
  ...changes
}: Partial<EdgeDeps> & { store?: Store } = {}): Promise<Edge> {
  opened ??= openStore()
  const store = otherStore ?? (await opened)
  const sites = createSites(store, 0)
  const personVisits = createPersonVisits(store, 0)
  const blobDirectory = join(inject('directory'), randomBytes(4).toString('hex'))
  const blobStore = await createFileBlobStore(blobDirectory)
  const logged: string[] = []
  const clock = { aheadMs: 0 }
  const callers = new Map<string, Principal | Error>()
  const origins = createOriginAgents({ resolve: resolveLocally, allowPrivate: true })
  const { server, handle } = createEdgeServer({
    sites,
    personVisits,
    db: store.db,
    changes: store.changes,
    blobs: blobStore,
    async authenticate(authorization) {
      const caller = callers.get(authorization)
      if (caller instanceof Error) throw caller
      return caller
    },
    lookUp: (_address, find) => find(),
    late: createLateRefusals({ perSecond: 20, burst: 200 }),
    sitesUrl: 'http://localhost:8080',
    passwords: { draw: () => ({ allowed: true, remaining: 1, waitMs: 0 }), giveBack: () => {} },
    apiUrl: 'http://localhost:3000',
    cookieKey: randomBytes(32),
    nowMs: () => Date.now() + clock.aheadMs,
    log: createTestLog(logged),
    origins,
    ...changes,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  async function close(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    origins.close()
    sites.stop()
    personVisits.stop()
  }
  return { port: address.port, handle, store, blobs: blobStore, blobDirectory, logged, clock, callers, close }
}

type Files = Record<string, string | Buffer>

/** A deployment that is ready and has no server of its own, unless it says otherwise. */
type Deployed = { state?: 'ready' | 'building'; hasServer?: boolean }

const server = { command: 'node server.mjs', directory: '.', node: '24.0.0', platform: 'linux-x64-glibc' }

export type TestSite = {
  teamId: string
  projectId: string
  /** The production host's `Host` value. */
  host: string
  /** Deploys `files` and returns the deployment's own `Host` value and id. */
  deploy(files: Files, how?: Deployed): Promise<{ host: string; id: string; label: string }>
  promote(id: string): Promise<void>
  configure(changes: Partial<typeof projects.$inferInsert>): Promise<void>
  /** Marks the blobs of everything that was deployed as due for compression. */
  markBlobs(): Promise<void>
  /** Compresses all blobs that are due. */
  compress(): Promise<void>
}

/** A new project of a new team, with a production host and nothing deployed. */
export async function newSite(edge: Edge): Promise<TestSite> {
  const { db, transact } = edge.store
  const nowMs = Date.now()
  const teamId = newId('team', nowMs)
  const projectId = newId('project', nowMs)
  const label = `web-${randomBytes(4).toString('hex')}`
  await db.insert(teams).values({ id: teamId, slug: label, name: label, personal: false, createdMs: nowMs })
  const build = { install_command: null, build_command: null, output_directory: 'dist', root_directory: '.' }
  const settings = { protection: 'none', autoPromote: true, spa: false, hsts: false } as const
  const times = { createdMs: nowMs, updatedMs: nowMs }
  await db
    .insert(projects)
    .values({ id: projectId, teamId, name: label, productionHost: label, build, ...settings, ...times })
  await db.insert(hosts).values({ label, teamId, projectId, deploymentId: null })

  const configure: TestSite['configure'] = (changes) =>
    transact(async (tx) => {
      await tx.update(projects).set(changes).where(eq(projects.id, projectId))
      tx.announce({ kind: 'project', id: projectId })
    })

  async function deploy(files: Files, { state = 'ready', hasServer = false }: Deployed = {}) {
    const id = newId('deployment', nowMs)
    const label = `dpl-${randomBytes(6).toString('hex')}`
    const manifestId = await insertFiles(edge, teamId, files)
    const counts = { files: 0, bytes: 0, createdBy: 'usr_1', createdMs: nowMs }
    await db.insert(deployments).values({
      id,
      teamId,
      projectId,
      host: label,
      target: 'preview',
      state,
      build,
      meta: {},
      manifestId,
      server: hasServer ? server : null,
      ...counts,
    })
    await db.insert(hosts).values({ label, teamId, projectId, deploymentId: id })
    return { host: `${label}.localhost`, id, label }
  }

  const promote = (id: string) => configure({ productionDeploymentId: id })

  async function markBlobs(): Promise<void> {
    const unmarked = and(eq(blobs.teamId, teamId), eq(blobs.encodeAttempts, 0))
    await db.update(blobs).set({ encodeAfterMs: nowMs }).where(unmarked)
  }

  async function compress(): Promise<void> {
    const { signal } = new AbortController()
    while (await encodeDue({ db, blobs: edge.blobs, nowMs: Date.now, stopping: signal }));
  }

  return { teamId, projectId, host: `${label}.localhost`, deploy, promote, configure, markBlobs, compress }
}

/** Stores the files and their manifest with its rules; returns its id. */
async function insertFiles(
  { store: { db }, blobs: store }: Edge,
  teamId: string,
  files: Files,
): Promise<number> {
  const rules = {
    redirects: parseRedirects(String(files._redirects ?? '')).rules.map(({ rule }) => rule),
    headers: parseHeaders(String(files._headers ?? '')).rules.map(({ rule }) => rule),
  }
  const [manifest] = await db.insert(manifests).values({ teamId, rules }).returning()
  if (!manifest) throw new Error('An insert returned no row.')
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const identity = { sha256, size: bytes.length }
    const object = await store.put(
      teamId,
      identity,
      (async function* () {
        yield bytes
      })(),
    )
    const [blob] = await db
      .insert(blobs)
      .values({ teamId, ...identity, object })
      .onConflictDoUpdate({ target: [blobs.teamId, blobs.sha256], set: { object } })
      .returning()
    if (!blob) throw new Error('An insert returned no row.')
    await db.insert(manifestEntries).values({ manifestId: manifest.id, path, blobId: blob.id })
  }
  return manifest.id
}
