/** A backup has all that an installation had, and only what is new is copied. */
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import {
  type BackedUp,
  backupsIn,
  blobFiles,
  copyKey,
  keyOf,
  newestIn,
  newPlace,
  startBackedUp,
  target,
} from './backed-up.ts'
import type { Surroundings } from './places.ts'

let backedUp: BackedUp

beforeAll(async () => {
  backedUp = await startBackedUp()
}, 120_000)

afterAll(() => backedUp.close())

/** What a worker does, once nothing holds it up. */
async function collect(): Promise<void> {
  const { store, blobs } = backedUp.node.installation
  await store.db.delete(turns)
  const deps = { db: store.db, blobs, nowMs: Date.now() + 1 }
  while (await collectManifests(deps));
  while (await collectBlobs({ ...deps, nowMs: Date.now() + 2 }));
}

function cachedFile({ SVC_DATA_DIR = '' }: Surroundings['env']): string {
  return join(SVC_DATA_DIR, 'build-cache/team_1/prj_1/production/results/g-1/tree/file')
}

async function leaveCache(env: Surroundings['env']): Promise<void> {
  const file = cachedFile(env)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'of a build')
}

describe('a backup in a directory', () => {
  it('restores everything into an empty installation', async () => {
    await backedUp.expectRestored(await target(), backedUp.place)
  })

  it.runIf(process.env.TEST_ON)(
    'restores everything into an embedded database',
    { tags: 'long' },
    async () => {
      await backedUp.expectRestored(await target({ engine: 'pglite' }), backedUp.place)
    },
  )

  it.runIf(process.env.TEST_ON)(
    'of an embedded database restores into PostgreSQL',
    { tags: 'long' },
    async () => {
      const embedded = await target({ engine: 'pglite' })
      await backedUp.expectRestored(embedded, backedUp.place).then((other) => other.stop())
      const own = await newPlace()
      expect(await backedUp.svc(['admin', 'backup', own, '--with-key'], { env: embedded.env })).toMatchObject(
        {
          code: 0,
        },
      )
      await backedUp.expectRestored(await target(), own)
    },
  )

  it('has no build caches, and leaves those where it is restored', { tags: 'long' }, async () => {
    const [own, into] = [await newPlace(), await target()]
    for (const { env } of [backedUp.source, into]) await leaveCache(env)
    await backedUp.backUp(own, '--with-key')
    expect((await readdir(own, { recursive: true })).join()).not.toContain('cache')
    await backedUp.expectRestored(into, own)
    expect(await readFile(cachedFile(into.env), 'utf8')).toBe('of a build')
  })

  it('says what it is of, and has the key only if that was wanted', async () => {
    const own = await newPlace()
    const made = await backedUp.backUp(own)
    expect(made).toMatchObject({ encryption_key_included: false, files: { kept: 'copied', missing: 0 } })
    expect(made.rows).toBeGreaterThan(50)
    const directory = join(own, made.backup)
    expect((await readdir(directory)).sort()).toEqual(['backup.json', 'files.gz', 'tables'])
    const description = JSON.parse(await readFile(join(directory, 'backup.json'), 'utf8'))
    expect(description).toMatchObject({ engine: process.env.TEST_ON ? 'postgres' : 'pglite', format: 1 })
    const key = await keyOf(backedUp.source)
    for (const file of await readdir(directory, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(key)
    expect(
      await readFile(join(backedUp.place, await newestIn(backedUp.place), 'encryption.key'), 'utf8'),
    ).toBe(`${key}\n`)
  })

  it('copies only what is new, and is itself whole', { tags: 'long' }, async () => {
    const own = await newPlace()
    const first = await backedUp.backUp(own)
    expect(first.files.copied).toBe(first.files.count)
    await deploy(backedUp.sample.team, {
      project: 'plain',
      files: [{ path: 'index.html', content: 'one more' }],
    })
    const second = await backedUp.backUp(own)
    expect(second.files).toMatchObject({ copied: 1, count: first.files.count + 1 })
    expect(await backupsIn(own)).toEqual([first.backup, second.backup])
    const into = await target()
    await copyKey(backedUp.source, into)
    await backedUp.expectRestored(into, own, '--backup', first.backup)
  })

  it('copies a file again that is there with another size', { tags: 'long' }, async () => {
    const own = await newPlace()
    await backedUp.backUp(own)
    const [file = ''] = await blobFiles(own)
    await appendFile(file, 'x')
    expect((await backedUp.backUp(own)).files.copied).toBe(1)
  })
})

describe('backups of which two are kept', { tags: 'long' }, () => {
  let own: string
  let made: [first: string, second: string, third: string]
  let removed: unknown
  let files: number

  beforeAll(async () => {
    own = await newPlace()
    const extra = await deploy(backedUp.sample.team, {
      project: 'plain',
      files: [{ path: 'a.bin', content: 'only for now' }],
    })
    const first = await backedUp.backUp(own)
    expect((await backedUp.sample.team.owner('DELETE', `/v1/deployments/${extra.id}`)).status).toBe(200)
    await collect()
    const second = await backedUp.backUp(own)
    files = (await blobFiles(own)).length
    const third = await backedUp.backUp(own, '--keep', '2')
    made = [first.backup, second.backup, third.backup]
    removed = third.removed
  })

  it('lose the oldest, with the files that it alone had', async () => {
    expect(made).toEqual([...made].sort())
    expect(removed).toEqual({ backups: 1, files: 1 })
    expect(await backupsIn(own)).toEqual(made.slice(1))
    expect((await blobFiles(own)).length).toBe(files - 1)
  })

  it('restore everything', async () => {
    const into = await target()
    await copyKey(backedUp.source, into)
    await backedUp.expectRestored(into, own)
  })
})

describe('a place', () => {
  it('of another installation’s backups is refused', async () => {
    const own = await newPlace()
    await mkdir(join(own, 'blobs'))
    await writeFile(join(own, 'blobs/installation'), 'another\n')
    const { code, stderr } = await backedUp.svc(['admin', 'backup', own], { env: backedUp.source.env })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('installation another'),
    })
    expect(await backupsIn(own)).toEqual([])
  })

  it.each(['', 'blobs', 'backups'])('in the data directory is refused: %j', async (below) => {
    const { stderr } = await backedUp.svc(
      ['admin', 'backup', join(backedUp.source.env.SVC_DATA_DIR ?? '', below)],
      {
        env: backedUp.source.env,
      },
    )
    expect(stderr).toContain('is in SVC_DATA_DIR: name another place')
  })

  it('without a backup, or without that one, is refused', async () => {
    const into = await target()
    const empty = await newPlace()
    expect((await backedUp.restore(into, empty)).stderr).toContain(`There is no backup in ${empty}`)
    await mkdir(join(empty, '2026-01-31T12-00-00.000Z/tables'), { recursive: true })
    expect((await backedUp.restore(into, empty)).stderr).toContain('Those that are there were broken off.')
    const { stderr } = await backedUp.restore(into, backedUp.place, '--backup', 'yesterday')
    expect(stderr).toContain(
      `There is no whole backup yesterday in ${backedUp.place}: there are ${await newestIn(backedUp.place)}.`,
    )
  })
})
