/** Files that clients upload straight to the bucket, and deploy. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countStray } from '../../../src/platform/deployments/garbage/stray-objects.ts'
import { openUploads, removeExpiredUploads, takeArrived } from '../../../src/stores/blobs/direct-uploads.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { directUploads } from '../../../src/stores/db/schema/direct-uploads.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { byDigest, sha256, upload, visit } from '../../platform/deployments/steps.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'

const minuteMs = 60_000
const quota = 10_000

let s3: S3Server
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  s3 = await startS3()
  node = await startOwnNode({ ...settingsOf(s3, 'sites'), SVC_STORAGE_PRO: `${quota}` })
})

beforeEach(async () => {
  await db().delete(directUploads)
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterEach(() => {
  s3.fail(() => undefined)
  node.clock.aheadMs = 0
})

afterAll(async () => {
  await node.stop()
  await s3.close()
})

type Missing = {
  sha256: string
  upload_url: string
  direct?: { url: string; headers: Record<string, string> }
}

const db = () => node.installation.store.db
const deps = (aheadMs = 0) => ({ db: db(), blobs: node.installation.blobs, nowMs: Date.now() + aheadMs })
const files = (contents: string[]) => contents.map((content, at) => byDigest(`${at}.txt`, content))

const create = (contents: string[], fields: object = { direct_uploads: true }) =>
  team.owner('POST', '/v1/deployments', { project: 'web', files: files(contents), ...fields })

async function missing(contents: string[], fields?: object): Promise<Missing[]> {
  const { status, body } = await create(contents, fields)
  expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'files_missing' })
  return body.missing
}

async function send({ direct }: Missing, content: string): Promise<number> {
  if (!direct) return expect.unreachable('no direct upload was offered')
  return (await fetch(direct.url, { method: 'PUT', headers: direct.headers, body: content })).status
}

/** Sends them as a client does. */
async function sendAll(contents: string[]): Promise<void> {
  const wanted = await missing(contents)
  const byDigests = new Map(contents.map((content) => [sha256(content), content]))
  for (const each of wanted) expect(await send(each, byDigests.get(each.sha256) ?? '')).toBe(200)
}

const open = () => db().select().from(directUploads).where(eq(directUploads.teamId, team.id))
const known = () => db().select().from(blobs).where(eq(blobs.teamId, team.id))
const objects = () =>
  [...s3.bucket.objects.keys()].flatMap((key) => key.split('sites/teams/')[1] ?? []).filter(isOfTeam)
const isOfTeam = (name: string) => name.startsWith(team.id)

describe('a missing file', () => {
  it('goes straight to the bucket, and is deployed by the same request', async () => {
    const contents = [unique('one'), unique('two')]
    await sendAll(contents)
    s3.requests.length = 0
    const { status, body } = await create(contents)
    expect(status).toBe(200)
    expect(s3.requests.filter((request) => request.startsWith('PUT'))).toEqual([])
    for (const [at, content] of contents.entries())
      expect(await visit(body.url, `/${at}.txt`)).toEqual({ status: 200, body: content })
    expect(await open()).toEqual([])
    expect((await create(contents)).status).toBe(200)
  })

  it('may still go through the node, without any headers', async () => {
    const content = unique('through')
    const [file] = await missing([content])
    expect((await upload(file?.upload_url ?? '', content)).status).toBe(200)
    expect((await create([content])).status).toBe(200)
  })

  it('has no direct upload unless the request says that the client can use it', async () => {
    expect((await missing([unique('plain')], {}))[0]).not.toHaveProperty('direct')
    expect(await open()).toEqual([])
  })

  it('is not requested again once it has arrived, and others keep their names', async () => {
    const contents = [unique('first'), unique('second')]
    const [first, second] = await missing(contents)
    if (!first || !second) return expect.unreachable()
    await send(first, contents[0] ?? '')
    const again = await missing(contents)
    expect(again.map((each) => each.sha256)).toEqual([second.sha256])
    const path = ({ direct }: Missing) => new URL(direct?.url ?? '').pathname
    expect(again.map(path)).toEqual([path(second)])
    expect(await known()).toHaveLength(1)
  })

  it('is missing until all of it is there', async () => {
    const content = unique('whole')
    await missing([content])
    const [row] = await open()
    const half = { bytes: Buffer.from(content.slice(1)), etag: '"x"', modifiedMs: Date.now() }
    s3.bucket.objects.set(`sites/teams/${row?.object}`, half)
    await sendAll([content])
    expect((await create([content])).status).toBe(200)
  })

  it('is deployed once by requests at the same time', async () => {
    const contents = Array.from({ length: 20 }, () => unique('same'))
    await sendAll(contents)
    const created = await Promise.all([1, 2, 3, 4].map(() => create(contents)))
    expect(created.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(objects()).toHaveLength(20)
  })

  it('replaces one that was lost', async () => {
    const content = unique('lost')
    await sendAll([content])
    const { body } = await create([content])
    await node.installation.blobs.remove((await known())[0]?.object ?? '')
    await sendAll([content])
    expect((await create([content])).status).toBe(200)
    expect(await visit(body.url, '/0.txt')).toEqual({ status: 200, body: content })
  })

  it('is refused while the bucket is away', async () => {
    const content = unique('away')
    await sendAll([content])
    s3.fail(() => ({ status: 500 }))
    expect(await create([content])).toMatchObject({ status: 503, body: { reason: 'store_unavailable' } })
    s3.fail(() => undefined)
    expect((await create([content])).status).toBe(200)
  })
})

describe('an upload that nobody deploys', () => {
  it('is removed an hour after its URL has expired, not before', async () => {
    await sendAll([unique('forgotten')])
    expect(await removeExpiredUploads(deps(74 * minuteMs))).toBe(0)
    expect(objects()).toHaveLength(1)
    expect(await removeExpiredUploads(deps(76 * minuteMs))).toBe(1)
    expect(objects()).toEqual([])
    expect(await open()).toEqual([])
  })

  it('can be deployed until then', async () => {
    const content = unique('late')
    await sendAll([content])
    node.clock.aheadMs = 74 * minuteMs
    expect((await create([content])).status).toBe(200)
    expect(await removeExpiredUploads(deps(76 * minuteMs))).toBe(0)
    expect(objects()).toHaveLength(1)
  })

  it('is removed by a later round when the bucket is away', async () => {
    await sendAll([unique('later')])
    s3.fail(() => ({ status: 500 }))
    await expect(removeExpiredUploads(deps(76 * minuteMs))).rejects.toMatchObject({
      reason: 'store_unavailable',
    })
    s3.fail(() => undefined)
    expect(await takeArrived(deps(), team.id, files([]))).toEqual([])
    expect(await removeExpiredUploads(deps(76 * minuteMs))).toBe(1)
    expect(objects()).toEqual([])
  })

  it('is not taken for a stray', async () => {
    await sendAll([unique('no stray')])
    expect(await countStray(deps(3 * 60 * minuteMs))).toMatchObject({ stray: 0 })
    await db().delete(directUploads).where(eq(directUploads.teamId, team.id))
    expect(await countStray(deps(3 * 60 * minuteMs))).toMatchObject({ stray: 1 })
  })

  it('ends with its team', async () => {
    const content = unique('ended')
    await sendAll([content])
    await db().update(teams).set({ deletedMs: 1 }).where(eq(teams.id, team.id))
    expect(await takeArrived(deps(), team.id, files([content]))).toEqual([])
    expect(objects()).toEqual([])
  })

  it('is removed, or deployed whole, when both happen at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const contents = Array.from({ length: 10 }, () => unique('race'))
      await sendAll(contents)
      const [taken] = await Promise.all([
        takeArrived(deps(), team.id, files(contents)),
        removeExpiredUploads(deps(76 * minuteMs)),
      ])
      const names = taken.map(({ object }) => object)
      expect(await node.installation.blobs.findMissing(taken)).toEqual([])
      expect(objects().filter((name) => !names.includes(name))).toEqual([])
      for (const name of names) await node.installation.blobs.remove(name)
      await db().delete(blobs).where(eq(blobs.teamId, team.id))
    }
  })
})

describe('a team with a quota', () => {
  beforeEach(async () => {
    await db().update(teams).set({ plan: 'pro' }).where(eq(teams.id, team.id))
    node.installation.store.changes.publish({ kind: 'team', id: team.id })
  })

  const bytes = (count: number) => unique('').padEnd(count, 'x')

  it('has it reserved by open uploads, once for each file, until they expire', async () => {
    const contents = [bytes(6_000)]
    await missing(contents)
    await missing(contents)
    const other = [bytes(6_000)]
    expect(await create(other)).toMatchObject({ status: 403, body: { reason: 'storage_quota' } })
    expect(await create(other, {})).toMatchObject({ status: 403, body: { reason: 'storage_quota' } })
    node.clock.aheadMs = 16 * minuteMs
    await missing(other)
  })

  it('is charged for what it deploys, and no more', async () => {
    const contents = [bytes(6_000)]
    await sendAll(contents)
    expect((await create(contents)).status).toBe(200)
    expect((await team.owner('GET', '/v1/overview')).body.storage.used_bytes).toBe(6_000)
    await missing([bytes(4_000)])
  })

  it('can send a file through the node instead, although it is reserved', async () => {
    const content = bytes(9_000)
    const [file] = await missing([content])
    expect((await upload(file?.upload_url ?? '', content)).status).toBe(200)
    expect((await create([content])).status).toBe(200)
    await missing([content, bytes(1_000)])
  })

  it('is not exceeded by requests at the same time', async () => {
    const each = Array.from({ length: 6 }, () => [bytes(3_000)])
    const answers = await Promise.all(each.map((contents) => create(contents)))
    const reasons = answers.map(({ body }) => body.reason).toSorted()
    expect(reasons).toEqual([...Array(3).fill('files_missing'), ...Array(3).fill('storage_quota')])
  })
})

it('a team has 10,000 open uploads at most; the same ones again are the same', async () => {
  const wanted = Array.from({ length: 10_003 }, (_, at) => ({ sha256: sha256(`${team.id}${at}`), size: 1 }))
  const opened = await openUploads(db(), team.id, wanted, Date.now())
  expect(opened).toHaveLength(10_000)
  const again = await openUploads(db(), team.id, wanted.slice(0, 10), Date.now())
  const names = new Set(opened.map(({ object }) => object))
  expect(again.filter(({ object }) => names.has(object))).toHaveLength(10)
  expect(await openUploads(db(), team.id, wanted.slice(10_000), Date.now())).toEqual([])
})

describe('direct uploads are not offered', () => {
  let other: TestNode

  const missingAt = async (changes: Record<string, string>) => {
    other = await startOwnNode({ ...settingsOf(s3, unique('other')), ...changes })
    const { owner } = await newTeam(other)
    await owner('PUT', '/v1/projects/web')
    const body = { project: 'web', files: files([unique('none')]), direct_uploads: true }
    return (await owner('POST', '/v1/deployments', body)).body.missing
  }

  afterEach(async () => {
    s3.manners.trustsBodies = false
    await other.stop()
  })

  it('where the service would store other bytes', async () => {
    s3.manners.trustsBodies = true
    expect((await missingAt({}))[0]).not.toHaveProperty('direct')
  })

  it('where the node says so', async () => {
    expect((await missingAt({ SVC_S3_DIRECT_UPLOADS: '0' }))[0]).not.toHaveProperty('direct')
  })

  it('where files are in a directory', async () => {
    expect((await missingAt({ SVC_BLOBS: '' }))[0]).not.toHaveProperty('direct')
  })
})
