import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letOthersRun } from '../../../../src/lib/async/let-others-run.ts'
import { collectBlobs, collectManifests } from '../../../../src/platform/deployments/garbage/unreferenced.ts'
import { insertManifest } from '../../../../src/platform/sites/manifest.ts'
import { blobs } from '../../../../src/stores/db/schema/blobs.ts'
import { manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { byDigest, deploy, upload, visit } from '../steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const rounds = 8

/** Collects repeatedly, as fast as possible, until `work` is done. */
async function whileCollecting<T>(work: () => Promise<T>): Promise<T> {
  let done = false
  const { store, blobs: objects } = node.installation
  const collect = async () => {
    while (!done) {
      await collectManifests({ db: store.db, blobs: objects, nowMs: Date.now() })
      await collectBlobs({ db: store.db, blobs: objects, nowMs: Date.now() + 1 })
      // The embedded database never waits for the event loop by itself, and two loops with timers would
      // starve requests.
      await letOthersRun()
    }
  }
  const collectors = [collect(), collect()]
  try {
    return await work()
  } finally {
    done = true
    await Promise.all(collectors)
  }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function expectWhole(url: string, contents: string[]): Promise<void> {
  for (const [i, content] of contents.entries()) {
    expect(await visit(url, `/${i}.txt`)).toEqual({ status: 200, body: content })
  }
}

describe('a deployment during the collection of its blobs', () => {
  async function race(round: (team: TestTeam, contents: string[]) => Promise<void>) {
    const team = await newTeam(node)
    const contents = Array.from({ length: 8 }, () => unique('content'))
    await whileCollecting(async () => {
      for (let i = 0; i < rounds; i += 1) await round(team, contents)
    })
    const { body } = await team.owner('GET', '/v1/deployments?limit=100')
    for (const { id } of body.data) await team.owner('DELETE', `/v1/deployments/${id}`)
    await whileCollecting(async () => {
      const { db } = node.installation.store
      const left = () => Promise.all([db.$count(manifests), db.$count(blobs, eq(blobs.teamId, team.id))])
      await expect.poll(left, { timeout: 20_000 }).toEqual([0, 0])
    })
    const objects: string[] = []
    for await (const batch of node.installation.blobs.listOlderThan(Number.MAX_SAFE_INTEGER)) {
      objects.push(...batch.filter((object) => object.startsWith(team.id)))
    }
    expect(objects).toEqual([])
  }

  const files = (contents: string[]) => contents.map((content, i) => ({ path: `${i}.txt`, content }))

  it('has all bytes of its inline files', async () => {
    let last: { id: string }[] = []
    await race(async (team, contents) => {
      const create = () => deploy(team, { files: shuffled(files(contents)) })
      const remove = ({ id }: { id: string }) => team.owner('DELETE', `/v1/deployments/${id}`)
      const [one, two] = await Promise.all([create(), create(), ...last.map(remove)])
      for (const { url } of [one, two]) await expectWhole(url, contents)
      last = [one, two]
    })
  }, 120_000)

  it('has all bytes of its files by digest, or is refused with the missing ones', async () => {
    let last: { id: string } | undefined
    await race(async (team, contents) => {
      const seed = await deploy(team, { files: files(contents) })
      const byDigests = shuffled(contents.map((content, i) => byDigest(`${i}.txt`, content)))
      const [created] = await Promise.all([
        team.owner('POST', '/v1/deployments', { project: 'web', files: byDigests }),
        team.owner('DELETE', `/v1/deployments/${seed.id}`),
        ...(last ? [team.owner('DELETE', `/v1/deployments/${last.id}`)] : []),
      ])
      if (created.status === 200) await expectWhole(created.body.url, contents)
      else expect(created.body.reason).toBe('files_missing')
      last = created.status === 200 ? created.body : undefined
    })
  }, 120_000)
})

describe('an upload during the collection of its blob', () => {
  it('is there for the deployment that follows', async () => {
    const team = await newTeam(node)
    const { db } = node.installation.store
    await whileCollecting(async () => {
      for (let round = 0; round < rounds; round += 1) {
        const content = unique('upload')
        const file = byDigest('0.txt', content)
        const create = () => team.owner('POST', '/v1/deployments', { project: 'web', files: [file] })
        await team.owner('PUT', '/v1/projects/web')
        const url = (await create()).body.missing[0].upload_url
        await upload(url, content)
        await Promise.all([
          db.update(blobs).set({ collectAfterMs: 1 }).where(eq(blobs.sha256, file.sha256)),
          upload(url, content).then(({ status }) => expect(status).toBe(200)),
        ])
        // The mark above may be later than the upload: then creating must win, or be refused with the missing
        // file.
        const again = await upload(url, content)
        expect(again.status).toBe(200)
        const created = await create()
        expect(created.status).toBe(200)
        await expectWhole(created.body.url, [content])
      }
    })
  }, 120_000)
})

describe('the collection of a manifest', () => {
  /** A deployment's blobs and manifest, just released. */
  async function released() {
    const { db } = node.installation.store
    const team = await newTeam(node)
    const files = ['1', '2'].map((path) => ({ path, content: unique(path) }))
    const { id } = await deploy(team, { files })
    await team.owner('DELETE', `/v1/deployments/${id}`)
    const rows = await db.select().from(blobs).where(eq(blobs.teamId, team.id)).orderBy(blobs.id)
    const ids = rows.map((row) => row.id)
    const collecting = () => collectManifests({ db, blobs: node.installation.blobs, nowMs: 1_000 })
    return { db, teamId: team.id, ids, collecting }
  }

  it('marks a blob as a candidate even while another transaction removes its mark', async () => {
    const { db, teamId, collecting } = await released()
    await db.update(blobs).set({ collectAfterMs: 1 }).where(eq(blobs.teamId, teamId))
    let collected: Promise<number> | undefined
    await db.transaction(async (tx) => {
      await tx.update(blobs).set({ collectAfterMs: null }).where(eq(blobs.teamId, teamId))
      collected = collecting()
      await sleep(300)
    })
    await collected
    const rows = await db.select().from(blobs).where(eq(blobs.teamId, teamId))
    expect(rows.map(({ collectAfterMs }) => collectAfterMs)).toEqual([1_000, 1_000])
  })

  it.runIf(process.env.TEST_ON)('does not wait for a concurrent deployment of those blobs', async () => {
    const { db, teamId, ids, collecting } = await released()
    await db.transaction(async (tx) => {
      await insertManifest(tx, newManifest(teamId, ids), 1_000)
      expect(await Promise.race([collecting(), sleep(3_000)])).toBe(3)
    })
  })
})

describe('a manifest of otherwise unreferenced blobs', () => {
  async function unreferred() {
    const { db } = node.installation.store
    const { id: teamId } = await newTeam(node)
    const [blob] = await db
      .insert(blobs)
      .values({ teamId, sha256: unique('sha'), size: 1, object: `${teamId}/${unique('object')}` })
      .returning()
    const ids = [blob?.id ?? 0]
    const collecting = () => collectBlobs({ db, blobs: node.installation.blobs, nowMs: 1_000 })
    const mark = () => db.update(blobs).set({ collectAfterMs: 1 }).where(eq(blobs.teamId, teamId))
    const left = () => db.select().from(blobs).where(eq(blobs.teamId, teamId))
    return { db, teamId, ids, collecting, mark, left }
  }

  it.runIf(process.env.TEST_ON)('keeps them from the moment it is written', async () => {
    const { db, teamId, ids, collecting, mark, left } = await unreferred()
    await db.transaction(async (tx) => {
      await insertManifest(tx, newManifest(teamId, ids), 1_000)
      await mark()
      await collecting()
    })
    expect(await left()).toMatchObject([{ collectAfterMs: 1 }])
    await collecting()
    expect(await left()).toMatchObject([{ collectAfterMs: null }])
  })

  it('is refused when one of them is missing', async () => {
    const { db, teamId, ids, collecting, mark, left } = await unreferred()
    await mark()
    await collecting()
    expect(await left()).toEqual([])
    const writing = db.transaction((tx) => insertManifest(tx, newManifest(teamId, ids), 1_000))
    await expect(writing).rejects.toMatchObject({ reason: 'files_missing' })
    expect(await db.$count(manifests, eq(manifests.teamId, teamId))).toBe(0)
  })
})

function newManifest(teamId: string, blobIds: number[]) {
  return {
    teamId,
    entries: blobIds.map((id) => ({
      path: `${id}.txt`,
      blob: { id, sha256: 'any', size: 1, object: '', isMarked: true, isUnencoded: true },
    })),
    rules: null,
    isServed: true,
  }
}
