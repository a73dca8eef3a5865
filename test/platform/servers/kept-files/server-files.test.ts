/** The files of a server live as long as its deployment does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInstallation } from '../../../../src/operate/integrity/check.ts'
import { collectBlobs, collectManifests } from '../../../../src/platform/deployments/garbage/unreferenced.ts'
import { findSeenDigests } from '../../../../src/platform/deployments/seen-digests.ts'
import { removeWorkspace } from '../../../../src/platform/sandbox/workspace.ts'
import type { Problem } from '../../../../src/stores/data-dir/admin-streams.ts'
import { blobs } from '../../../../src/stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { type DeploymentServer, deployments } from '../../../../src/stores/db/schema/projects.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkspace } from '../../builds/build.ts'
import { deploy, sha256 } from '../../deployments/steps.ts'
import { collect, insertKept } from './keep.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
})

afterAll(() => node.stop())

const db = () => node.installation.store.db

const server: DeploymentServer = {
  command: 'node server.js',
  directory: '.',
  node: '24.0.0',
  platform: 'linux-x64-glibc',
}

/** A deployment of one page with a server of one file. */
async function deployServer(project = 'web') {
  const { id } = await deploy(team, { project })
  const content = unique('server')
  const workspace = await newWorkspace()
  await writeFile(join(workspace.files, 'server.js'), content)
  const kept = await collect(node, team.id, workspace)
  await removeWorkspace(workspace)
  const serverManifestId = await insertKept(node, team.id, kept)
  const [row] = await db()
    .update(deployments)
    .set({ server, serverManifestId, files: sql`${deployments.files} + 1` })
    .where(eq(deployments.id, id))
    .returning({ projectId: deployments.projectId })
  return { id, projectId: row?.projectId ?? '', serverManifestId, digest: sha256(content) }
}

/** Whether there are a manifest and a blob, after all that may be collected is. */
async function isThere({ serverManifestId, digest }: { serverManifestId: number; digest: string }) {
  const longAfterMs = Date.now() + 100 * 24 * 60 * 60_000
  const deps = { db: db(), blobs: node.installation.origin, nowMs: Date.now() }
  while ((await collectManifests(deps)) > 0);
  while ((await collectBlobs({ ...deps, nowMs: longAfterMs })) > 0);
  const found = await db().select().from(manifests).where(eq(manifests.id, serverManifestId))
  const stored = await db().select().from(blobs).where(eq(blobs.sha256, digest))
  return [found.length === 1, stored.length === 1]
}

async function check(): Promise<Problem[]> {
  const { store, origin, keys } = node.installation
  const found: Problem[] = []
  const deps = { db: store.db, blobs: origin, keys, trash: { days: 7, maxBytes: 1_000_000_000 } }
  const how = { nowMs: Date.now, onLost: async () => {}, deep: true, mend: false }
  for await (const event of checkInstallation({ ...deps, ...how }))
    if (event.type === 'problem') found.push(event)
  return found
}

describe('the files of a server', () => {
  it('stay as long as their deployment, and go with it', async () => {
    const made = await deployServer()
    expect(await isThere(made)).toEqual([true, true])
    expect((await team.owner('DELETE', `/v1/deployments/${made.id}`)).status).toBe(200)
    expect(await isThere(made)).toEqual([false, false])
  })

  it('go with their project', async () => {
    const made = await deployServer('gone')
    expect((await team.owner('DELETE', '/v1/projects/gone')).status).toBe(200)
    expect(await isThere(made)).toEqual([false, false])
  })

  it('count as seen by those who are limited to their project', async () => {
    const { projectId, digest } = await deployServer()
    const sender = { teamId: team.id, senderId: 'nobody', projectId }
    expect(await findSeenDigests(db(), sender, [digest], Date.now())).toEqual(new Set([digest]))
    const elsewhere = { ...sender, projectId: 'another' }
    expect(await findSeenDigests(db(), elsewhere, [digest], Date.now())).toEqual(new Set())
  })
})

describe('the check of an installation', () => {
  it('finds nothing where they are whole', async () => {
    await deployServer()
    expect(await check()).toEqual([])
  })

  it('finds those that were released', async () => {
    const { id, serverManifestId } = await deployServer()
    const is = inArray(manifests.id, [serverManifestId])
    await db().update(manifests).set({ releasedMs: 1 }).where(is)
    expect(await check()).toMatchObject([{ kind: 'deployment_without_files', subject: id }])
    await db().update(manifests).set({ releasedMs: null }).where(is)
  })

  it('finds a server without files, and files without a server', async () => {
    const { id, serverManifestId } = await deployServer()
    const is = eq(deployments.id, id)
    await db().update(deployments).set({ serverManifestId: null }).where(is)
    expect((await check()).map(({ kind }) => kind).toSorted()).toEqual([
      'deployment_without_files',
      'manifest_never_collected',
    ])
    await db().update(deployments).set({ serverManifestId, server: null }).where(is)
    expect(await check()).toMatchObject([{ kind: 'deployment_without_files', subject: id }])
    await db().update(deployments).set({ server }).where(is)
  })

  it.each([
    ['one of its site', 'manifestId', 'deployment_incomplete'],
    ['one of its server', 'serverManifestId', 'deployment_without_files'],
  ] as const)('finds that a file is missing, %s', async (_, column, kind) => {
    const { id } = await deployServer()
    const [row] = await db().select().from(deployments).where(eq(deployments.id, id))
    const of = eq(manifestEntries.manifestId, row?.[column] ?? 0)
    const entries = await db().delete(manifestEntries).where(of).returning()
    expect(entries).toHaveLength(1)
    const message = expect.stringContaining(id)
    expect(await check()).toContainEqual(expect.objectContaining({ kind, subject: id, message }))
    await db().insert(manifestEntries).values(entries)
    expect(await check()).toEqual([])
  })

  it('finds nothing where the site has no files', async () => {
    const { id } = await deployServer()
    const [row] = await db().select().from(deployments).where(eq(deployments.id, id))
    const of = eq(manifestEntries.manifestId, row?.manifestId ?? 0)
    const entries = await db().delete(manifestEntries).where(of).returning()
    const one = eq(deployments.id, id)
    await db().update(deployments).set({ files: 1 }).where(one)
    expect((await check()).map(({ subject }) => subject)).not.toContain(id)
    await db().insert(manifestEntries).values(entries)
    await db().update(deployments).set({ files: 2 }).where(one)
  })

  it('finds those of another team', async () => {
    const { id, serverManifestId } = await deployServer()
    const other = await newTeam(node)
    const is = eq(manifests.id, serverManifestId)
    await db().update(manifests).set({ teamId: other.id }).where(is)
    const found = await check()
    expect(found.map(({ kind }) => kind)).toEqual(['another_team', 'another_team'])
    expect(found.map(({ subject }) => subject)).toEqual([`${id} server.js`, id])
    await db().update(manifests).set({ teamId: team.id }).where(is)
  })

  it('names the deployment whose file is lost', async () => {
    const { id, digest } = await deployServer()
    const [blob] = await db().select().from(blobs).where(eq(blobs.sha256, digest))
    const bytes = await node.installation.origin.read(blob?.object ?? '')
    await node.installation.origin.remove(blob?.object ?? '')
    const [found] = await check()
    expect(found?.message).toContain(`server.js of deployment ${id}`)
    const source = (async function* () {
      yield bytes
    })()
    const identity = { sha256: digest, size: bytes.length }
    await node.installation.origin.write(blob?.object ?? '', identity, source)
  })

  it('finds links that lead out', async () => {
    const { serverManifestId } = await deployServer()
    const is = eq(manifests.id, serverManifestId)
    await db()
      .update(manifests)
      .set({ links: { in: 'server.js' } })
      .where(is)
    expect(await check()).toEqual([])
    await db()
      .update(manifests)
      .set({ links: { in: 'server.js', out: '../x' } })
      .where(is)
    expect(await check()).toMatchObject([
      {
        kind: 'link_leads_out',
        subject: `${serverManifestId}`,
        message: expect.stringContaining('link out of'),
      },
    ])
    await db().update(manifests).set({ links: sql`null` }).where(is)
  })
})
