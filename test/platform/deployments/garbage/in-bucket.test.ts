/**
 * Collection in a bucket by several nodes at once, of which one keeps dying, while deployments of the same
 * files come and go.
 * @module-tag long
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepStray } from '../../../../src/platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../../../src/platform/deployments/garbage/unreferenced.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { removeExpiredUploads } from '../../../../src/stores/blobs/direct-uploads.ts'
import { digestOf } from '../../../../src/stores/blobs/object-identity.ts'
import { namesIn, objectColumns } from '../../../../src/stores/blobs/object-names.ts'
import { createS3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { openPostgres } from '../../../../src/stores/db/open-database.ts'
import { blobs as blobRows } from '../../../../src/stores/db/schema/blobs.ts'
import { directUploads } from '../../../../src/stores/db/schema/direct-uploads.ts'
import { compile } from '../../../stores/data-dir/compiled.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { type S3Server, startS3 } from '../../../support/s3/server.ts'
import { settingsOf } from '../../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { byDigest, sha256, upload, visit } from '../steps.ts'

const hourMs = 60 * 60_000
const trash = { days: 0, maxBytes: 0 }
const kills = 8
const teamsAtOnce = 3

describe.runIf(process.env.TEST_ON)('with two collectors, and a third that is killed', () => {
  let s3: S3Server
  let node: TestNode
  let compiled: string
  const cleanUps: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    s3 = await startS3()
    node = await startOwnNode(settingsOf(s3, 'sites'))
    compiled = await compile(
      'platform/deployments/garbage/unreferenced.ts',
      'stores/blobs/s3/s3-store.ts',
      'stores/db/open-database.ts',
    )
    await writeFile(join(compiled, 'collector.js'), collector)
  }, 60_000)

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
    await node.stop()
    await s3.close()
    await rm(compiled, { recursive: true, force: true })
  })

  const address = () => ({ ...s3.address, prefix: 'sites/' })

  /** The stores of another node: connections and memories of its own. */
  function anotherNode() {
    const { db, close } = openPostgres(node.settings.DATABASE_URL ?? '', 2)
    const client = createS3Client(address())
    cleanUps.push(close, () => client.close())
    return { db, blobs: createS3BlobStore(client) }
  }

  /** Collects as fast as possible until aborted. */
  async function collect(signal: AbortSignal): Promise<void> {
    const stores = anotherNode()
    while (!signal.aborted) {
      const deps = { ...stores, nowMs: Date.now() + 1 }
      await collectManifests(deps)
      await collectBlobs(deps)
      await removeExpiredUploads({ ...deps, nowMs: Date.now() + 2 * hourMs })
      await sweepStray(deps, trash, { evenMany: true })
    }
  }

  /** Another process that does the same, and is killed in the middle of it, again and again. */
  async function die(): Promise<void> {
    for (let kill = 0; kill < kills; kill += 1) {
      const child = startCollector()
      const [first] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
      expect(String(first)).toBe('collecting\n')
      await sleep(20 + Math.random() * 200)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }

  function startCollector(): ChildProcess {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: node.settings.DATABASE_URL,
      S3: JSON.stringify(address()),
    }
    return spawn(process.execPath, ['collector.js'], {
      cwd: compiled,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /**
   * Deploys the same files in turn inline and by digest, and deletes what was deployed before, until aborted.
   */
  async function deployAndDelete(team: TestTeam, contents: string[], signal: AbortSignal): Promise<void> {
    let last: string | undefined
    for (let round = 0; !signal.aborted; round += 1) {
      const [created] = await Promise.all([
        createInSteps(team, contents, round % 2 === 0),
        last && team.owner('DELETE', `/v1/deployments/${last}`),
      ])
      for (const [at, content] of contents.entries())
        expect(await visit(created.url, `/${at}.txt`)).toEqual({ status: 200, body: content })
      last = created.id
    }
  }

  /** Uploads to the bucket what is missing, as often as it takes. */
  async function createInSteps(team: TestTeam, contents: string[], isInline: boolean) {
    const files = contents.map((content, at) =>
      isInline ? { path: `${at}.txt`, content } : byDigest(`${at}.txt`, content),
    )
    const byDigests = new Map(contents.map((content) => [sha256(content), content]))
    for (;;) {
      const body = { project: 'web', files, direct_uploads: true }
      const created = await team.owner('POST', '/v1/deployments', body)
      if (created.status === 200) return created.body
      expect(created.body.reason).toBe('files_missing')
      for (const { sha256: digest, direct, upload_url } of created.body.missing) {
        const body = byDigests.get(digest) ?? ''
        // None is signed while an expired one of the same file is being removed: then the node takes it.
        const { status } = direct
          ? await fetch(direct.url, { method: 'PUT', headers: direct.headers, body })
          : await upload(upload_url, body)
        expect(status).toBe(200)
      }
    }
  }

  async function objectsIn(blobs: BlobStore): Promise<string[]> {
    const all: string[] = []
    for await (const batch of blobs.list()) all.push(...batch)
    return all.toSorted()
  }

  it('every file of every deployment is there, and in the end nothing else', async () => {
    // So that a kill meets a collector between rows and objects.
    s3.fail((method) => (method === 'DELETE' ? { delayMs: 5 } : undefined))
    const stopping = new AbortController()
    const teams = await Promise.all(Array.from({ length: teamsAtOnce }, () => newTeam(node)))
    const work = teams.map(async (team) => {
      await team.owner('PUT', '/v1/projects/web')
      const contents = Array.from({ length: 8 }, () => unique('content'))
      await deployAndDelete(team, contents, stopping.signal)
    })
    const collecting = [collect(stopping.signal), collect(stopping.signal)]
    await Promise.race([die(), Promise.all([...work, ...collecting])]).finally(() => stopping.abort())
    await Promise.all([...work, ...collecting])
    s3.fail(() => undefined)

    // Nothing of the rest is young by now.
    s3.setAhead(2 * hourMs)
    const { db, blobs } = anotherNode()
    const deps = { db, blobs, nowMs: Date.now() + 2 * hourMs }
    while (await collectManifests(deps));
    while (await collectBlobs(deps));
    while (await removeExpiredUploads(deps));
    await sweepStray({ ...deps, nowMs: Date.now() }, trash, { evenMany: true })
    const named = namesIn(await db.select(objectColumns).from(blobRows))
    expect(named.length).toBeGreaterThanOrEqual(teamsAtOnce * 8)
    expect(await objectsIn(blobs)).toEqual(named.toSorted())
    for (const object of named) expect(sha256(await blobs.read(object))).toBe(digestOf(object))
    expect(await db.$count(directUploads)).toBe(0)
    for (const team of teams) {
      const { body } = await team.owner('GET', '/v1/deployments')
      expect(body.data.length).toBeGreaterThan(0)
    }
  }, 120_000)
})

const collector = `
  import { collectBlobs, collectManifests } from './dist/platform/deployments/garbage/unreferenced.js'
  import { createS3Client } from './dist/stores/blobs/s3/client.js'
  import { createS3BlobStore } from './dist/stores/blobs/s3/s3-store.js'
  import { openPostgres } from './dist/stores/db/open-database.js'
  const { db } = openPostgres(process.env.DATABASE_URL, 1)
  const address = JSON.parse(process.env.S3)
  const blobs = createS3BlobStore(createS3Client({ ...address, endpoint: new URL(address.endpoint) }))
  console.log('collecting')
  for (;;) {
    const deps = { db, blobs, nowMs: Date.now() + 1 }
    await collectManifests(deps)
    await collectBlobs(deps)
  }`
