/** The program is killed in the middle of work, again and again: every acknowledged change survives. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { collectBlobs, collectManifests } from '../../src/platform/deployments/garbage/unreferenced.ts'
import { createFileBlobStore } from '../../src/stores/blobs/file-store.ts'
import { removeLeftPuts } from '../../src/stores/blobs/remove-left-puts.ts'
import { beginTenure, tenuresOf } from '../../src/stores/data-dir/tenures.ts'
import { openPglite } from '../../src/stores/db/open-database.ts'
import { blobs as blobRows } from '../../src/stores/db/schema/blobs.ts'
import { until } from '../support/eventually.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const workers = 4
const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

const directories: string[] = []
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

type Acknowledged = { projects: Set<string>; deployments: Map<string, string>; blobs: Set<string> }

const answerSchema = z.object({
  id: z.string().optional(),
  url: z.string().optional(),
  missing: z.array(z.object({ sha256: z.string(), upload_url: z.string() })).optional(),
})

/** Puts projects and deploys files to them until the program is killed, and records what it acknowledged. */
async function work(
  program: Program,
  key: string,
  worker: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${program.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { ok: response.ok, body: answerSchema.parse(await response.json()) }
  }
  for (let turn = 0; ; turn += 1) {
    const project = `p-${worker}-${turn}`
    const put = await call('PUT', `/v1/projects/${project}`, { env: [{ key: 'A', value: project }] })
    if (put.ok) acknowledged.projects.add(project)
    const bytes = randomBytes(50_000)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const files = [
      { path: 'index.html', content: project },
      { path: 'data.bin', sha256, size: bytes.length },
    ]
    const deploy = () => call('POST', '/v1/deployments', { project, target: 'production', files })
    for (const { upload_url } of (await deploy()).body.missing ?? []) {
      const uploaded = await fetch(upload_url, { method: 'PUT', body: bytes })
      if (uploaded.ok) acknowledged.blobs.add(sha256)
      await uploaded.arrayBuffer()
    }
    const created = await deploy()
    if (created.ok && created.body.id && created.body.url) {
      acknowledged.deployments.set(created.body.id, created.body.url)
    }
  }
}

async function checkAll(
  program: Program,
  key: string,
  { projects, deployments }: Acknowledged,
): Promise<void> {
  const get = (path: string) =>
    fetch(`${program.apiUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
  for (const project of projects) {
    const response = await get(`/v1/projects/${project}`)
    expect(await response.json()).toMatchObject({ name: project, env: [{ key: 'A' }] })
  }
  for (const [id, url] of deployments) {
    const response = await get(`/v1/deployments/${id}`)
    expect(await response.json()).toMatchObject({ state: 'ready', files: 2 })
    // Each start uses other ports.
    const site = program.siteUrl(new URL(url).hostname.split('.')[0] ?? '')
    expect((await visit(`${site}/`)).status).toBe(200)
    expect((await visit(`${site}/data.bin`)).status).toBe(200)
  }
}

it('keeps every acknowledged change after kill -9, and leaves no garbage that is never collected', {
  tags: 'long',
  timeout: 180_000,
}, () => {
  return killAndCheck(1)
})

it('keeps them after repeated kill -9', { tags: 'long', timeout: 180_000 }, () => killAndCheck(3))

async function killAndCheck(rounds: number): Promise<void> {
  const directory = await newDataDirectory()
  directories.push(directory)
  const acknowledged: Acknowledged = { projects: new Set(), deployments: new Map(), blobs: new Set() }
  let program = await startProgram({ SVC_DATA_DIR: directory })
  const key = program.key ?? ''
  for (let round = 0; round < rounds; round += 1) {
    const busy = Array.from({ length: workers }, (_, index) =>
      work(program, key, `${round}-${index}`, acknowledged).catch(() => {}),
    )
    // Each round kills it at another moment of the work.
    const enough = acknowledged.deployments.size + 6 + round * 3
    await until(() => acknowledged.deployments.size >= enough, { limitMs: 60_000 })
    await program.end('SIGKILL')
    await Promise.all(busy)
    program = await startProgram({ SVC_DATA_DIR: directory })
    await checkAll(program, key, acknowledged)
  }
  expect(acknowledged.deployments.size).toBeGreaterThan(rounds * 5)
  await program.end('SIGTERM')
  await expectNothingStray(directory)
}

/**
 * Collects garbage as a node would some hours later, and what uploads left as it would within a minute; then
 * every stored object has a row, and every row an object.
 */
async function expectNothingStray(directory: string): Promise<void> {
  const database = await openPglite(join(directory, 'db'))
  try {
    const blobs = await createFileBlobStore(join(directory, 'blobs'))
    const deps = { db: database.db, blobs, nowMs: Date.now() + 3 * hourMs }
    while (await collectManifests(deps));
    while (await collectBlobs(deps));
    const tenure = await beginTenure(tenuresOf(directory))
    await removeLeftPuts({ ...deps, directory: join(directory, 'puts'), tenure }, Date.now() + minuteMs)
    const rows = await database.db.select().from(blobRows)
    const stored = await readdir(join(directory, 'blobs', 'teams'), { recursive: true })
    const objects = stored.filter((path) => path.includes('/'))
    expect(objects.toSorted()).toEqual(rows.map((row) => row.object).toSorted())
    expect(rows.every((row) => row.collectAfterMs === null)).toBe(true)
    expect(await readdir(join(directory, 'blobs', 'incoming'))).toEqual([])
  } finally {
    await database.close()
  }
}
