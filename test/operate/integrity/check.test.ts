/** `svc admin check` finds and names what is wrong, and mends what is safe. */
import { randomBytes } from 'node:crypto'
import { rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, gt, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInstallation } from '../../../src/operate/integrity/check.ts'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { newObjectName } from '../../../src/stores/blobs/object-identity.ts'
import type { Problem } from '../../../src/stores/data-dir/admin-streams.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { branchEnv } from '../../../src/stores/db/schema/branch-env.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { manifestEntries, manifests } from '../../../src/stores/db/schema/manifests.ts'
import { deployments, projectEnv, projects } from '../../../src/stores/db/schema/projects.ts'
import { storage } from '../../../src/stores/db/schema/storage.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { deliveries, webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { deploy, sha256, visit } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
/** A live deployment of one file that compresses well. */
let site: { id: string; url: string }
let blob: typeof blobs.$inferSelect

const db = () => node.installation.store.db

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
  const files = [{ path: 'index.html', content: unique('content').repeat(100) }]
  site = await deploy(team, { target: 'production', files })
  const stopping = new AbortController().signal
  const work = { db: db(), blobs: node.installation.blobs, nowMs: () => Date.now() + 1_000, stopping }
  while (await encodeDue(work));
  await team.owner('GET', '/v1/overview')
})

afterAll(() => node.stop())

beforeEach(async () => {
  blob = await readBlob()
})

async function readBlob(): Promise<typeof blobs.$inferSelect> {
  const [row] = await db()
    .select()
    .from(blobs)
    .where(and(eq(blobs.teamId, team.id), gt(blobs.size, 1_000)))
  if (!row) throw new Error('The site has no file.')
  return row
}

async function check({ deep = false, mend = false } = {}): Promise<Problem[]> {
  const { store, origin, keys } = node.installation
  const found: Problem[] = []
  const stores = { db: store.db, blobs: origin, keys }
  const trash = { days: 7, maxBytes: 1_000_000_000 }
  for await (const event of checkInstallation({
    ...stores,
    trash,
    nowMs: Date.now,
    onLost: async () => {},
    deep,
    mend,
  }))
    if (event.type === 'problem') found.push(event)
  return found
}

const kinds = (problems: Problem[]) => problems.map(({ kind }) => kind)
const pathOf = (object: string) => join(node.settings.SVC_DATA_DIR, 'blobs/teams', object)

/** The problem is found and named, and gone once it is undone. */
async function expectFound(kind: string, subject: string, undo: () => Promise<unknown>): Promise<void> {
  const found = await check()
  await undo()
  expect(found).toContainEqual(expect.objectContaining({ kind, mended: false }))
  expect(found.map((problem) => problem.subject + problem.message).join()).toContain(subject)
  expect(await check()).toEqual([])
}

/** The problem is found and named, stays when nothing is to be mended, and is mended once. */
async function expectMended(kind: string, subject: string): Promise<void> {
  expect(await check()).toMatchObject([{ kind, mended: false }])
  const mended = await check({ mend: true })
  expect(mended).toMatchObject([{ kind, mended: true }])
  expect((mended[0]?.subject ?? '') + (mended[0]?.message ?? '')).toContain(subject)
  expect(await check({ deep: true })).toEqual([])
}

/** Without the checks of foreign keys, as a damaged database is. */
async function withoutForeignKeys(change: ReturnType<typeof sql>): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(change)
  })
}

it('finds nothing in an installation that is whole', async () => {
  await deploy(team, { project: 'other' })
  await team.owner('POST', '/v1/webhooks', { url: 'https://example.com/', events: ['deployment.ready'] })
  const { id } = await deploy(team, { project: 'other' })
  await team.owner('DELETE', `/v1/deployments/${id}`)
  await team.owner('DELETE', '/v1/projects/other')
  expect(await check({ deep: true, mend: true })).toEqual([])
})

describe('of stored files, it finds', () => {
  it('a missing one, with the deployment that needs it', async () => {
    const { object } = blob
    const bytes = await node.installation.origin.read(object)
    await rm(pathOf(object))
    const [found] = await check()
    expect(found).toMatchObject({ kind: 'object_missing', subject: object })
    expect(found?.message).toContain(`index.html of deployment ${site.id}`)
    await expectFound('object_missing', site.id, () => writeFile(pathOf(object), bytes))
  })

  it('one of another size', async () => {
    const bytes = await node.installation.origin.read(blob.object)
    await truncate(pathOf(blob.object), 5)
    await expectFound('object_missing', 'of another size', () => writeFile(pathOf(blob.object), bytes))
  })

  it('a damaged one, if it reads them', async () => {
    const bytes = await node.installation.origin.read(blob.object)
    await writeFile(pathOf(blob.object), randomBytes(bytes.length))
    expect(await check()).toEqual([])
    expect(await check({ deep: true })).toMatchObject([
      {
        kind: 'object_missing',
        subject: blob.object,
        message: expect.stringContaining('restore the file from a backup, or remove it before that'),
      },
    ])
    await writeFile(pathOf(blob.object), bytes)
    expect(await check({ deep: true })).toEqual([])
  })

  it.each(['brObject', 'gzipObject'] as const)(
    'a missing compressed form (%s), and has it made again',
    async (form) => {
      const object = blob[form] ?? ''
      await rm(pathOf(object))
      expect(await check({ mend: true })).toMatchObject([
        { kind: 'compressed_form_missing', subject: object, mended: true },
      ])
      expect(await readBlob()).toMatchObject({ brObject: null, gzipObject: null, encodeAttempts: 0 })
      const stopping = new AbortController().signal
      await encodeDue({ db: db(), blobs: node.installation.blobs, nowMs: () => Date.now() + 1_000, stopping })
      expect((await readBlob())[form]).toMatch(team.id)
      expect(await check({ deep: true })).toEqual([])
    },
  )

  it('one in the trash, and takes it back', async () => {
    await node.installation.origin.discard(blob.object, '2026-01-31')
    await expectMended('object_in_trash', blob.object)
  })

  it('a stray one of more than an hour ago, and moves it to the trash', async () => {
    const stray = newObjectName(team.id, sha256('stray'))
    await writeFile(pathOf(stray), 'stray')
    expect(await check({ mend: true })).toEqual([])
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000)
    await utimes(pathOf(stray), longAgo, longAgo)
    await expectMended('stray_object', stray)
    expect(await node.installation.origin.takeBack(stray)).toBe(true)
    await rm(pathOf(stray))
  })
})

describe('of rows, it finds', () => {
  it('wrong counts of used bytes, and corrects them', async () => {
    await db().update(storage).set({ usedBytes: sql`used_bytes + 17` }).where(eq(storage.teamId, team.id))
    await expectMended('used_bytes', '17 bytes more')
    await db().update(storage).set({ usedBytes: sql`used_bytes - 17` }).where(eq(storage.teamId, team.id))
    await expectMended('used_bytes', team.id)
  })

  it('files of no manifest, and deletes them', async () => {
    await db().insert(manifestEntries).values({ manifestId: 1_000_000, path: 'lost.html', blobId: blob.id })
    await expectMended('file_without_manifest', 'manifest 1000000 lost.html')
  })

  it('blobs that nothing refers to and that would stay forever, and has them collected', async () => {
    const digest = sha256('kept')
    const object = await node.installation.origin.put(team.id, { sha256: digest, size: 4 }, [
      Buffer.from('kept'),
    ] as never)
    await db().insert(blobs).values({ teamId: team.id, sha256: digest, size: 4, object })
    await db().update(storage).set({ usedBytes: sql`used_bytes + 4` }).where(eq(storage.teamId, team.id))
    await expectMended('blob_never_collected', object)
    const [row] = await db().select().from(blobs).where(eq(blobs.object, object))
    expect(row?.collectAfterMs).toBeGreaterThan(Date.now())
    expect((await visit(site.url)).status).toBe(200)
  })

  it('manifests of no deployment that would stay forever, and has them collected', async () => {
    const [made] = await db().insert(manifests).values({ teamId: team.id }).returning({ id: manifests.id })
    await expectMended('manifest_never_collected', `Manifest ${made?.id} `)
    const [row] = await db()
      .select()
      .from(manifests)
      .where(eq(manifests.id, made?.id ?? 0))
    expect(row?.releasedMs).toBeGreaterThan(0)
  })

  it('a file whose blob is not recorded', async () => {
    const entry = eq(manifestEntries.blobId, blob.id)
    await db().update(manifestEntries).set({ blobId: 999_999 }).where(entry)
    await expectFound('file_without_blob', `${site.id} index.html`, () =>
      db().update(manifestEntries).set({ blobId: blob.id }).where(eq(manifestEntries.blobId, 999_999)),
    )
  })

  it('a file of another team', async () => {
    const other = await newTeam(node)
    const { id } = await deploy(other, { files: [{ path: 'a.txt', content: unique('theirs') }] })
    const [theirs] = await db().select().from(deployments).where(eq(deployments.id, id))
    const ofManifest = eq(manifestEntries.manifestId, theirs?.manifestId ?? 0)
    const [before] = await db().select().from(manifestEntries).where(ofManifest)
    await db().update(manifestEntries).set({ blobId: blob.id }).where(ofManifest)
    await expectFound('another_team', `${id} a.txt`, () =>
      db()
        .update(manifestEntries)
        .set({ blobId: before?.blobId ?? 0 })
        .where(ofManifest),
    )
  })

  it('a deployment that lacks a file', async () => {
    const is = eq(deployments.id, site.id)
    await db().update(deployments).set({ files: 2 }).where(is)
    await expectFound('deployment_incomplete', `${site.id} has 1 files instead of 2`, () =>
      db().update(deployments).set({ files: 1 }).where(is),
    )
  })

  it('a deployment whose files were released', async () => {
    const [row] = await db().select().from(deployments).where(eq(deployments.id, site.id))
    const is = eq(manifests.id, row?.manifestId ?? 0)
    await db().update(manifests).set({ releasedMs: 1 }).where(is)
    await expectFound('deployment_without_files', site.id, () =>
      db().update(manifests).set({ releasedMs: null }).where(is),
    )
  })

  it('a live deployment that is not ready', async () => {
    const is = eq(deployments.id, site.id)
    await db().update(deployments).set({ state: 'error' }).where(is)
    const [project] = await db().select().from(projects).where(eq(projects.teamId, team.id))
    await expectFound('live_not_ready', project?.id ?? '-', () =>
      db().update(deployments).set({ state: 'ready' }).where(is),
    )
  })

  it('labels that lead to nothing, or that are missing', async () => {
    const [host] = await db().select().from(hosts).where(eq(hosts.deploymentId, site.id))
    const label = eq(hosts.label, host?.label ?? '')
    await db().update(hosts).set({ projectId: null }).where(label)
    await expectFound('host_without_owner', host?.label ?? '-', () =>
      db()
        .update(hosts)
        .set({ projectId: host?.projectId ?? null })
        .where(label),
    )
    await db().update(hosts).set({ freedMs: 1 }).where(label)
    await expectFound('host_without_owner', host?.label ?? '-', () =>
      db().update(hosts).set({ freedMs: null }).where(label),
    )
    if (!host) throw new Error('The deployment has no label.')
    await db().delete(hosts).where(label)
    await expectFound('deployment_without_host', site.id, () => db().insert(hosts).values(host))
  })

  it('a team without an owner', async () => {
    const is = eq(members.teamId, team.id)
    await db().update(members).set({ role: 'member' }).where(is)
    await expectFound('team_without_owner', team.id, () =>
      db().update(members).set({ role: 'owner' }).where(is),
    )
  })

  it('values and secrets that the key doesn’t decrypt', async () => {
    await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'TOKEN', value: unique('value') }] })
    const hook = { url: 'https://example.com/', events: ['deployment.ready'] }
    const { body } = await team.owner('POST', '/v1/webhooks', hook)
    const [variable] = await db().select().from(projectEnv).where(eq(projectEnv.target, 'preview'))
    const [webhook] = await db().select().from(webhooks).where(eq(webhooks.id, body.id))
    await db().update(projectEnv).set({ sealed: 'v1.AAAA' }).where(eq(projectEnv.target, 'preview'))
    const { projectId = '', updatedMs = 0 } = variable ?? {}
    const ofBranch = { projectId, branch: 'next', key: 'TOKEN', sealed: 'v1.AAAA', updatedMs }
    await db().insert(branchEnv).values(ofBranch)
    await db().update(webhooks).set({ sealedSecret: 'v1.AAAA' }).where(eq(webhooks.id, body.id))
    const found = await check()
    expect(kinds(found)).toEqual(['secret_unreadable', 'secret_unreadable', 'secret_unreadable'])
    expect(found.map(({ message }) => message).join()).toContain(body.id)
    expect(found.map(({ message }) => message).join()).toContain('preview value of TOKEN')
    expect(found.map(({ message }) => message).join()).toContain('TOKEN for the branch next')
    await db().delete(branchEnv)
    await db()
      .update(webhooks)
      .set({ sealedSecret: webhook?.sealedSecret ?? '' })
      .where(eq(webhooks.id, body.id))
    await db()
      .update(projectEnv)
      .set({ sealed: variable?.sealed ?? '' })
      .where(eq(projectEnv.target, 'preview'))
    expect(await check()).toEqual([])
  })

  it('deliveries without webhook or of another team', async () => {
    const hook = { url: 'https://example.com/', events: ['project.created'] }
    const { body } = await team.owner('POST', '/v1/webhooks', hook)
    const [delivery] = await db().select().from(deliveries).where(eq(deliveries.webhookId, body.id))
    if (!delivery) throw new Error('There is no delivery.')
    const is = eq(deliveries.id, delivery.id)
    await withoutForeignKeys(sql`update deliveries set webhook_id = 'whk_none' where id = ${delivery.id}`)
    await expectFound('reference_to_nothing', `${delivery.id} (deliveries) refers to a row of webhooks`, () =>
      db().update(deliveries).set({ webhookId: body.id }).where(is),
    )
    await db().update(deliveries).set({ teamId: 'another' }).where(is)
    await expectFound('another_team', delivery.id, () =>
      db().update(deliveries).set({ teamId: team.id }).where(is),
    )
  })
})
