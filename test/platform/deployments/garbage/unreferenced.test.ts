import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepStray } from '../../../../src/platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../../../src/platform/deployments/garbage/unreferenced.ts'
import { unreferencedGraceMs } from '../../../../src/stores/blobs/rows.ts'
import { blobs } from '../../../../src/stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { byDigest, deploy, sha256, upload, visit } from '../steps.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

afterAll(() => node.stop())

const hourMs = unreferencedGraceMs

/** No object remains that no row refers to. */
const removed = { days: 0, maxBytes: 0 }

const deps = (nowMs: number) => ({ db: node.installation.store.db, blobs: node.installation.blobs, nowMs })

/** The worker's collections at that time and one millisecond later. */
async function collect(nowMs = Date.now()): Promise<void> {
  while (await collectManifests(deps(nowMs)));
  while (await collectBlobs(deps(nowMs + 1)));
}

const rowsOf = (of: TestTeam) =>
  node.installation.store.db.select().from(blobs).where(eq(blobs.teamId, of.id))

/** Every object in the store, of any age. */
async function objects(): Promise<string[]> {
  const all: string[] = []
  for await (const batch of node.installation.blobs.listOlderThan(Number.MAX_SAFE_INTEGER)) all.push(...batch)
  return all
}

const objectsOf = async (of: TestTeam) => (await objects()).filter((object) => object.startsWith(of.id))

/** Uploads an unreferenced blob. */
async function uploadOnly(content: string): Promise<void> {
  await team.owner('PUT', '/v1/projects/web')
  const files = [byDigest('index.html', content)]
  const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', files })
  expect((await upload(body.missing[0].upload_url, content)).status).toBe(200)
}

describe('a blob', () => {
  it('has to be uploaded again once it was collected, however recently it was deployed', async () => {
    const content = unique('content')
    const { id } = await deploy(team, { files: [{ path: 'index.html', content }] })
    expect((await team.owner('DELETE', `/v1/deployments/${id}`)).status).toBe(200)
    await collect(Date.now() + 2 * hourMs)
    expect(await rowsOf(team)).toEqual([])

    const again = { project: 'web', files: [byDigest('index.html', content)] }
    const { status, body } = await team.owner('POST', '/v1/deployments', again)
    expect(status).toBe(400)
    expect(body.missing).toMatchObject([{ sha256: sha256(content) }])
    expect((await upload(body.missing[0].upload_url, content)).status).toBe(200)
    const { url } = (await team.owner('POST', '/v1/deployments', again)).body
    expect(await visit(url)).toEqual({ status: 200, body: content })
  })

  it('is kept while a deployment refers to it, however long', async () => {
    const { url } = await deploy(team)
    await collect(Date.now() + 1_000 * hourMs)
    await sweepStray(deps(Date.now() + 1_000 * hourMs), removed)
    expect(await rowsOf(team)).toHaveLength(1)
    expect(await visit(url)).toEqual({ status: 200, body: 'hello' })
  })

  it('is removed, row and object, once its last deployment is deleted', async () => {
    const files = [{ path: 'index.html', content: unique('shared') }]
    const [one, two] = [await deploy(team, { files }), await deploy(team, { files })]
    await team.owner('DELETE', `/v1/deployments/${one.id}`)
    await collect()
    expect(await objectsOf(team)).toHaveLength(1)
    expect((await visit(two.url)).body).toBe(files[0]?.content)
    await team.owner('DELETE', `/v1/deployments/${two.id}`)
    await collect()
    expect(await rowsOf(team)).toEqual([])
    expect(await objectsOf(team)).toEqual([])
  })

  it("is removed without another team's blob of the same bytes", async () => {
    const other = await newTeam(node)
    const files = [{ path: 'index.html', content: unique('both') }]
    const [mine, theirs] = [await deploy(team, { files }), await deploy(other, { files })]
    await team.owner('DELETE', `/v1/deployments/${mine.id}`)
    await collect()
    expect(await objectsOf(team)).toEqual([])
    expect((await visit(theirs.url)).body).toBe(files[0]?.content)
  })

  it('that was only uploaded is kept for an hour and then removed', async () => {
    const startMs = Date.now()
    await uploadOnly(unique('uploaded'))
    const endMs = Date.now()
    await collectBlobs(deps(startMs + hourMs))
    expect(await objectsOf(team)).toHaveLength(1)
    await collectBlobs(deps(endMs + hourMs + 1))
    expect(await rowsOf(team)).toEqual([])
    expect(await objectsOf(team)).toEqual([])
  })

  it('that a client need not upload again is kept for another hour', async () => {
    const content = unique('kept')
    await uploadOnly(content)
    await node.installation.store.db
      .update(blobs)
      .set({ collectAfterMs: Date.now() - 1 })
      .where(eq(blobs.teamId, team.id))
    const startMs = Date.now()
    const files = [byDigest('index.html', content), byDigest('b', unique('missing'))]
    const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', files })
    expect(body.missing).toHaveLength(1)
    await collectBlobs(deps(startMs + hourMs))
    expect(await rowsOf(team)).toHaveLength(1)
  })

  it('is not marked again once a deployment refers to it', async () => {
    const content = unique('taken')
    await uploadOnly(content)
    const { url } = await deploy(team, { files: [byDigest('index.html', content)] })
    expect((await rowsOf(team))[0]?.collectAfterMs).toBeNull()
    await collect(Date.now() + 10 * hourMs)
    expect((await visit(url)).body).toBe(content)
  })

  it('is collected 500 at a time', async () => {
    const { db } = node.installation.store
    await collect()
    await db.execute(sql`
      insert into blobs (team_id, sha256, size, object, collect_after_ms)
      select ${team.id}, 'digest ' || i, 1, ${team.id} || '/' || i, 1 from generate_series(1, 501) as i`)
    expect(await collectBlobs(deps(2))).toBe(500)
    expect(await rowsOf(team)).toHaveLength(1)
    expect(await collectBlobs(deps(2))).toBe(1)
    expect(await rowsOf(team)).toEqual([])
  })

  it('is collected also behind many that are referenced again', async () => {
    const { db } = node.installation.store
    await collect()
    const [manifest] = await db.insert(manifests).values({ teamId: team.id }).returning()
    await db.execute(sql`
      insert into blobs (team_id, sha256, size, object, collect_after_ms)
      select ${team.id}, 'digest ' || i, 1, ${team.id} || '/' || i, i from generate_series(1, 501) as i`)
    await db.execute(sql`
      insert into manifest_entries (manifest_id, path, blob_id)
      select ${manifest?.id ?? 0}, sha256, id from blobs
      where team_id = ${team.id} and collect_after_ms <= 500`)
    expect(await collectBlobs(deps(1_000))).toBe(1)
    expect(await rowsOf(team)).toHaveLength(500)
    expect(await collectBlobs(deps(1_000))).toBe(0)
    // These have no objects.
    await db.delete(blobs).where(eq(blobs.teamId, team.id))
  })
})

describe('a released manifest', () => {
  /** A manifest with this many entries, all of the same blob, as a deleted deployment leaves it. */
  async function release(entries: number): Promise<number> {
    const { db } = node.installation.store
    await deploy(team)
    const [manifest] = await db.insert(manifests).values({ teamId: team.id, releasedMs: 1 }).returning()
    const id = manifest?.id ?? 0
    await db.execute(sql`
      insert into manifest_entries (manifest_id, path, blob_id)
      select ${id}, 'file ' || i, (select max(id) from blobs where team_id = ${team.id})
      from generate_series(1, ${entries}::int) as i`)
    return id
  }

  const entriesOf = (id: number) =>
    node.installation.store.db.$count(manifestEntries, eq(manifestEntries.manifestId, id))

  it('loses its entries 5,000 at a time, and is removed with the last', async () => {
    const id = await release(10_001)
    const counts: number[] = []
    while (await collectManifests(deps(Date.now()))) counts.push(await entriesOf(id))
    expect(counts).toEqual([5_001, 1, 0])
    const { db } = node.installation.store
    expect(await db.select().from(manifests).where(eq(manifests.id, id))).toEqual([])
  })

  it('is collected without a failure by several workers at once', async () => {
    const ids = [await release(12_000), await release(10)]
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([1, 2, 3].map(() => collectManifests(deps(Date.now()))))
    }
    for (const id of ids) expect(await entriesOf(id)).toBe(0)
    expect(await collectManifests(deps(Date.now()))).toBe(0)
  })
})

describe('an object without a row', () => {
  /** The remains of a crash between storing bytes and recording them. */
  async function strayObject(): Promise<string> {
    const bytes = randomBytes(10)
    const identity = { sha256: sha256(bytes), size: 10 }
    return node.installation.blobs.put(
      team.id,
      identity,
      (async function* () {
        yield bytes
      })(),
    )
  }

  it('is kept for an hour, since it may still be recorded, and then swept', async () => {
    const object = await strayObject()
    await sweepStray(deps(Date.now() + hourMs - 60_000), removed)
    expect(await objectsOf(team)).toEqual([object])
    expect(await sweepStray(deps(Date.now() + hourMs + 60_000), removed)).toMatchObject({ swept: 1 })
    expect(await objectsOf(team)).toEqual([])
  })

  it('is swept when the row was deleted and a crash kept the object', async () => {
    const { id, url } = await deploy(team, { files: [{ path: 'index.html', content: unique('crash') }] })
    const kept = await deploy(team, { files: [{ path: 'index.html', content: unique('kept') }] })
    await team.owner('DELETE', `/v1/deployments/${id}`)
    while (await collectManifests(deps(Date.now())));
    await node.installation.store.db.execute(sql`
      delete from blobs where team_id = ${team.id} and collect_after_ms is not null`)
    expect(await objectsOf(team)).toHaveLength(2)
    await sweepStray(deps(Date.now() + 2 * hourMs), removed)
    expect(await objectsOf(team)).toEqual((await rowsOf(team)).map(({ object }) => object))
    expect((await visit(url)).status).toBe(404)
    expect((await visit(kept.url)).status).toBe(200)
  })
})

it('leaves exactly the objects that rows refer to', async () => {
  await collect(Date.now() + 2 * hourMs)
  await sweepStray(deps(Date.now() + 2 * hourMs), removed)
  const rows = await node.installation.store.db.select({ object: blobs.object }).from(blobs)
  expect((await objects()).toSorted()).toEqual(rows.map(({ object }) => object).toSorted())
})
