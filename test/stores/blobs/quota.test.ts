import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { reserve } from '../../../src/stores/blobs/quota.ts'
import { countUsedBytes, readUsedBytes } from '../../../src/stores/blobs/used-bytes.ts'
import { storage, storageReservations } from '../../../src/stores/db/schema/storage.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { byDigest, deploy, sha256, upload } from '../../platform/deployments/steps.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'

const limit = 10_000
const hourMs = 60 * 60 * 1000

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode({ SVC_STORAGE_FREE: `${limit}` })
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterAll(() => node.stop())

const bytes = (count: number) => randomBytes(count / 2).toString('hex')
const file = (path: string, content: string) => ({ path, content })
const create = (files: unknown[]) => team.owner('POST', '/v1/deployments', { project: 'web', files })
const stored = async () => (await team.owner('GET', '/v1/overview')).body.storage
const db = () => node.installation.store.db
const reservations = () =>
  db().select().from(storageReservations).where(eq(storageReservations.teamId, team.id))

/** The upload URL of a file that the team doesn't have. */
async function uploadUrl(content: string): Promise<string> {
  const { body } = await create([byDigest('index.html', content)])
  return body.missing[0].upload_url
}

async function collect(nowMs: number): Promise<void> {
  const deps = { db: db(), blobs: node.installation.blobs, nowMs }
  while (await collectManifests(deps));
  while (await collectBlobs({ ...deps, nowMs: nowMs + 1 }));
}

describe('a team’s storage', () => {
  it('ends with its quota: new files are 403 storage_quota, and existing ones still work', async () => {
    const first = file('index.html', bytes(6_000))
    expect((await create([first])).status).toBe(200)
    expect(await stored()).toEqual({ used_bytes: 6_000, limit_bytes: limit })
    const second = bytes(4_002)
    for (const more of [file('more', second), byDigest('more', second)]) {
      const { status, body } = await create([first, more])
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'storage_quota' })
      expect(body.message).toContain(`No space for 4002 more bytes: the team's files use 6000 of the 10000`)
    }
    expect((await create([first, file('copy', first.content)])).status).toBe(200)
    expect((await create([first, file('fits', bytes(4_000))])).status).toBe(200)
    expect(await stored()).toEqual({ used_bytes: limit, limit_bytes: limit })
    // Sent again, it takes no more storage.
    expect((await create([first])).status).toBe(200)
    expect(await reservations()).toEqual([])
  })

  it('is limited by its plan', async () => {
    await db().update(teams).set({ plan: 'pro' }).where(eq(teams.id, team.id))
    node.installation.store.changes.publish({ kind: 'team', id: team.id })
    expect((await create([file('index.html', bytes(20_000))])).status).toBe(200)
    expect(await stored()).toEqual({ used_bytes: 20_000, limit_bytes: null })
  })

  it('is not exceeded by concurrent uploads', async () => {
    const contents = Array.from({ length: 8 }, () => bytes(3_000))
    const urls = await Promise.all(contents.map(uploadUrl))
    const sent = await Promise.all(contents.map((content, at) => upload(urls[at] ?? '', content)))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403, 403, 403, 403])
    expect(await stored()).toMatchObject({ used_bytes: 9_000 })
    expect(await reservations()).toEqual([])
    const [stillFull] = sent.flatMap(({ status }, at) => (status === 403 ? (urls[at] ?? []) : []))
    expect((await upload(stillFull ?? '', contents[urls.indexOf(stillFull ?? '')] ?? '')).status).toBe(403)
  })

  it('is free again once an upload has failed', async () => {
    const content = bytes(8_000)
    const url = await uploadUrl(content)
    const broken = request(url, { method: 'PUT', headers: { 'content-length': 8_000 } })
    broken.on('error', () => {})
    broken.write(content.slice(0, 4_000))
    await eventually(async () => expect(await reservations()).toMatchObject([{ bytes: 8_000 }]))
    expect((await create([file('index.html', bytes(3_000))])).body.reason).toBe('storage_quota')
    broken.destroy()
    await eventually(async () => expect(await reservations()).toEqual([]))
    expect((await create([file('index.html', bytes(3_000))])).status).toBe(200)
  })

  it('is free again as soon as files were collected', async () => {
    const { id } = await deploy(team, { files: [file('index.html', bytes(9_000))] })
    expect((await team.owner('DELETE', `/v1/deployments/${id}`)).status).toBe(200)
    expect((await create([file('index.html', bytes(2_000))])).status).toBe(403)
    await collect(Date.now())
    expect(await stored()).toMatchObject({ used_bytes: 0 })
    expect((await create([file('index.html', bytes(2_000))])).status).toBe(200)
  })
})

describe('reserved storage', () => {
  const limits = { free: limit, pro: 0, enterprise: 0 }
  const blob = (content: string) => ({ sha256: sha256(content), size: content.length })
  const reserveAt = (nowMs: () => number, size: number) =>
    reserve({ db: db(), storage: limits, nowMs }, team.id, [blob(bytes(size))])

  it('expires after an hour if its node died', async () => {
    const startMs = Date.now()
    await reserveAt(() => startMs, 6_000)
    await expect(reserveAt(() => startMs + hourMs - 1, 6_000)).rejects.toMatchObject({
      reason: 'storage_quota',
    })
    await reserveAt(() => startMs + hourMs, 6_000)
    expect(await reservations()).toHaveLength(1)
  })

  it('says nothing of what the team has to whoever sees a part of it', async () => {
    const content = bytes(6_000)
    await deploy(team, { files: [file('index.html', content)] })
    const deps = { db: db(), storage: limits, nowMs: Date.now }
    const refusalOf = (of: string, tellsNothing: boolean) =>
      reserve({ ...deps, tellsNothing }, team.id, [blob(of)]).then(
        ({ release }) => release(),
        (error: unknown) => error,
      )
    expect(await refusalOf(content, false)).toBeUndefined()
    const [known, unknown] = [await refusalOf(content, true), await refusalOf(bytes(6_000), true)]
    expect(known).toMatchObject({ reason: 'storage_quota', message: expect.not.stringContaining('10000') })
    expect(unknown).toEqual(known)
  })

  it('must still be free for an upload that took longer', async () => {
    let nowMs = Date.now()
    const slow = await reserveAt(() => nowMs, 6_000)
    await slow.confirm()
    nowMs += hourMs
    const other = await reserveAt(() => nowMs, 6_000)
    await expect(slow.confirm()).rejects.toMatchObject({ reason: 'storage_quota' })
    await other.release()
    await slow.confirm()
    expect(await reservations()).toHaveLength(1)
    await slow.release()
    expect(await reservations()).toEqual([])
  })
})

describe('the bytes that a team uses', () => {
  it('are those of its files with their compressed forms, and none once they are collected', async () => {
    const { store, blobs } = node.installation
    const { id } = await deploy(team, { files: [file('index.html', 'compressible '.repeat(300))] })
    const stopping = new AbortController().signal
    while (await encodeDue({ db: store.db, blobs, nowMs: Date.now, stopping }));
    const { used_bytes } = await stored()
    expect(used_bytes).toBeGreaterThan(3_900)
    expect(used_bytes).toBe(await countUsedBytes(db(), team.id))
    await team.owner('DELETE', `/v1/deployments/${id}`)
    await collect(Date.now())
    expect(await stored()).toMatchObject({ used_bytes: 0 })
  })

  it('are counted if they were not yet', async () => {
    await deploy(team, { files: [file('index.html', bytes(500))] })
    await db().delete(storage).where(eq(storage.teamId, team.id))
    expect(await stored()).toMatchObject({ used_bytes: 500 })
    await deploy(team, { files: [file('index.html', bytes(300))] })
    expect(await readUsedBytes(db(), team.id)).toBe(800)
  })

  it('are correct after many concurrent writers', async () => {
    const teamsOfAll = await Promise.all([newTeam(node), newTeam(node), newTeam(node)])
    const deploying = teamsOfAll.flatMap((each) =>
      Array.from({ length: 6 }, (_, at) =>
        deploy(each, { files: [file(`${at}`, bytes(100)), file('same', 'same')] }),
      ),
    )
    await Promise.all([...deploying, ...teamsOfAll.map(({ id }) => countUsedBytes(db(), id))])
    for (const { id } of teamsOfAll) expect(await readUsedBytes(db(), id)).toBe(604)
  })
})
