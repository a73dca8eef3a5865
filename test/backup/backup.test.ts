/** A backup restores an installation with all that it had: driven by `svc admin`, while the node runs. */
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Description, parseDescription, writeDescription } from '../../src/backup/description.ts'
import { openDirectoryPlace } from '../../src/backup/directory-place.ts'
import { readPacked, writePacked } from '../../src/backup/packed.ts'
import type { Place } from '../../src/backup/place.ts'
import { projectEnv } from '../../src/db/schema/projects.ts'
import { turns } from '../../src/db/schema/turns.ts'
import { webhooks } from '../../src/db/schema/webhooks.ts'
import { collectBlobs, collectManifests } from '../../src/deployments/collect.ts'
import { newHome, type Svc } from '../cli/svc.ts'
import { deploy } from '../deployments/steps.ts'
import type { TestNode } from '../support/node.ts'
import { type S3Server, startS3 } from '../support/s3/server.ts'
import { accessTo, newSurroundings, type Surroundings, startOn } from './places.ts'
import { expectWhole, makeSample, type Sample } from './sample.ts'

let svc: Svc
let source: Surroundings
let node: TestNode
let sample: Sample
/** With one backup of the sample, which contains the key. */
let place: string

beforeAll(async () => {
  svc = (await newHome()).svc
  source = await newSurroundings()
  node = await startOn(source)
  sample = await makeSample(node)
  place = await newPlace()
  await backUp(place, '--with-key')
}, 120_000)

afterAll(async () => {
  await node.stop()
  await source.drop()
})

const newPlace = () => mkdtemp(join(inject('directory'), 'backups-'))

async function backUp(to: string, ...args: string[]) {
  const { code, stdout, stderr } = await svc(['admin', 'backup', to, '--json', ...args], { env: source.env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function target(options: Parameters<typeof newSurroundings>[0] = {}): Promise<Surroundings> {
  const made = await newSurroundings(options)
  onTestFinished(made.drop)
  return made
}

const restore = (into: Surroundings, ...args: string[]) =>
  svc(['admin', 'restore', ...args], { env: into.env })

/** Restores, starts a node, and compares everything. */
async function expectRestored(into: Surroundings, ...args: string[]): Promise<TestNode> {
  // The embedded database's key comes with the backup.
  const key = into.env.DATABASE_URL ? await keyOf(source) : undefined
  if (key) into.env.SVC_ENCRYPTION_KEY = key
  const restored = await restore(into, ...args)
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored backup') })
  const other = await startOn(into)
  onTestFinished(other.stop)
  await expectWhole(other, sample)
  const check = await svc(['admin', 'check', '--deep'], { env: into.env })
  expect(check).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
  return other
}

const keyOf = async ({ env }: Surroundings) =>
  env.SVC_ENCRYPTION_KEY ?? (await readFile(join(env.SVC_DATA_DIR ?? '', 'encryption.key'), 'utf8')).trim()

const [name, backupsIn] = [
  async (of: string) => (await backupsIn(of)).at(-1) ?? '',
  async (of: string) => (await readdir(of)).filter((each) => each.startsWith('2')).sort(),
]

/** A copy of the place, to damage it. */
async function copyOfPlace(): Promise<string> {
  const copy = await newPlace()
  for (const file of await readdir(place, { recursive: true, withFileTypes: true })) {
    const to = join(copy, join(file.parentPath, file.name).slice(place.length))
    if (file.isDirectory()) await mkdir(to, { recursive: true })
    else {
      await mkdir(join(to, '..'), { recursive: true })
      await copyFile(join(file.parentPath, file.name), to)
    }
  }
  return copy
}

/** What a worker does, once nothing holds it up. */
async function collect(): Promise<void> {
  const { store, blobs } = node.installation
  await store.db.delete(turns)
  const deps = { db: store.db, blobs, nowMs: Date.now() + 1 }
  while (await collectManifests(deps));
  while (await collectBlobs({ ...deps, nowMs: Date.now() + 2 }));
}

describe('a backup in a directory', () => {
  it('restores everything into an empty installation', async () => {
    await expectRestored(await target(), place)
  })

  it.runIf(process.env.TEST_ON)(
    'restores everything into an embedded database',
    { tags: 'long' },
    async () => {
      await expectRestored(await target({ engine: 'pglite' }), place)
    },
  )

  it.runIf(process.env.TEST_ON)(
    'of an embedded database restores into PostgreSQL',
    { tags: 'long' },
    async () => {
      const embedded = await target({ engine: 'pglite' })
      await expectRestored(embedded, place).then((other) => other.stop())
      const own = await newPlace()
      expect(await svc(['admin', 'backup', own, '--with-key'], { env: embedded.env })).toMatchObject({
        code: 0,
      })
      await expectRestored(await target(), own)
    },
  )

  it('restores into a bucket', { tags: 'long' }, async () => {
    const s3 = await startS3()
    onTestFinished(s3.close)
    const other = await expectRestored(await target({ s3 }), place)
    expect((await other.installation.origin.readOwner()) ?? '').toMatch(/^[\w-]{36}$/)
  })

  it('says what it is of, and has the key only if that was wanted', async () => {
    const own = await newPlace()
    const made = await backUp(own)
    expect(made).toMatchObject({ encryption_key_included: false, files: { kept: 'copied', missing: 0 } })
    expect(made.rows).toBeGreaterThan(50)
    const directory = join(own, made.backup)
    expect((await readdir(directory)).sort()).toEqual(['backup.json', 'files.gz', 'tables'])
    const description = JSON.parse(await readFile(join(directory, 'backup.json'), 'utf8'))
    expect(description).toMatchObject({ engine: process.env.TEST_ON ? 'postgres' : 'pglite', format: 1 })
    const key = await keyOf(source)
    for (const file of await readdir(directory, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(key)
    expect(await readFile(join(place, await name(place), 'encryption.key'), 'utf8')).toBe(`${key}\n`)
  })

  it('copies only what is new, and is itself whole', { tags: 'long' }, async () => {
    const own = await newPlace()
    const first = await backUp(own)
    expect(first.files.copied).toBe(first.files.count)
    await deploy(sample.team, { project: 'plain', files: [{ path: 'index.html', content: 'one more' }] })
    const second = await backUp(own)
    expect(second.files).toMatchObject({ copied: 1, count: first.files.count + 1 })
    expect(await backupsIn(own)).toEqual([first.backup, second.backup])
    const into = await target()
    await copyKey(into)
    await expectRestored(into, own, '--backup', first.backup)
  })

  it('copies a file again that is there with another size', { tags: 'long' }, async () => {
    const own = await newPlace()
    await backUp(own)
    const [file = ''] = await blobFiles(own)
    await appendFile(file, 'x')
    expect((await backUp(own)).files.copied).toBe(1)
  })
})

describe('backups of which two are kept', { tags: 'long' }, () => {
  let own: string
  let made: [first: string, second: string, third: string]
  let removed: unknown
  let files: number

  beforeAll(async () => {
    own = await newPlace()
    const extra = await deploy(sample.team, {
      project: 'plain',
      files: [{ path: 'a.bin', content: 'only for now' }],
    })
    const first = await backUp(own)
    expect((await sample.team.owner('DELETE', `/v1/deployments/${extra.id}`)).status).toBe(200)
    await collect()
    const second = await backUp(own)
    files = (await blobFiles(own)).length
    const third = await backUp(own, '--keep', '2')
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
    await copyKey(into)
    await expectRestored(into, own)
  })
})

const blobFiles = async (of: string) =>
  (await readdir(join(of, 'blobs/teams'), { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))

/** For an embedded database. */
async function copyKey({ env }: Surroundings): Promise<void> {
  if (env.DATABASE_URL) return
  await mkdir(env.SVC_DATA_DIR ?? '', { recursive: true })
  await writeFile(join(env.SVC_DATA_DIR ?? '', 'encryption.key'), await keyOf(source))
}

describe('with a bucket', { tags: 'long' }, () => {
  let s3: S3Server
  let access: Record<string, string>

  beforeAll(async () => {
    s3 = await startS3()
    access = accessTo(s3)
  })

  afterAll(() => s3.close())

  const backUpToBucket = () =>
    svc(['admin', 'backup', 's3://blobs/backups', '--with-key', '--keep', '1'], {
      env: { ...source.env, ...access },
    })

  it('a backup in a bucket takes the place of an older one', async () => {
    expect(await backUpToBucket()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('s3://blobs/backups/ is complete'),
    })
    expect((await backUpToBucket()).stdout).toContain('1 older backups and 0 files removed')
  })

  it('which restores everything', async () => {
    const into = await target()
    Object.assign(into.env, access)
    await expectRestored(into, 's3://blobs/backups')
  })

  it('files in one are backed up by copying or by reference, and looked for in the restore', async () => {
    const own = await newSurroundings({ s3 })
    const first = await startOn(own)
    const made = await makeSample(first)
    const [copied, referenced] = [await newPlace(), await newPlace()]
    const run = (...args: string[]) => svc(['admin', ...args], { env: own.env })
    expect(await run('backup', copied, '--with-key')).toMatchObject({ code: 0 })
    const { code, stdout } = await run('backup', referenced, '--with-key', '--blobs', 'reference')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`they stay in ${own.env.SVC_BLOBS}`),
    })
    expect(await blobFiles(referenced)).toEqual([])
    await first.stop()

    const into = await target({ s3 })
    expect((await restore(into, referenced)).stderr).toContain('missing')
    into.env.SVC_BLOBS = own.env.SVC_BLOBS ?? ''
    const restored = await restore(into, referenced)
    expect(restored).toMatchObject({ code: 0 })
    const second = await startOn(into)
    await expectWhole(second, made)
    await second.stop()

    const elsewhere = await target({ s3 })
    expect(await restore(elsewhere, copied)).toMatchObject({ code: 0 })
    const third = await startOn(elsewhere)
    await expectWhole(third, made)
    await third.stop()
    await own.drop()
  })

  it('files that are not in one can’t be backed up by reference', async () => {
    const { code, stderr } = await svc(['admin', 'backup', await newPlace(), '--blobs', 'reference'], {
      env: source.env,
    })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only files in a bucket'),
    })
  })
})

describe('a place', () => {
  it('of another installation’s backups is refused', async () => {
    const own = await newPlace()
    await mkdir(join(own, 'blobs'))
    await writeFile(join(own, 'blobs/installation'), 'another\n')
    const { code, stderr } = await svc(['admin', 'backup', own], { env: source.env })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('installation another'),
    })
    expect(await backupsIn(own)).toEqual([])
  })

  it.each(['', 'blobs', 'backups'])('in the data directory is refused: %j', async (below) => {
    const { stderr } = await svc(['admin', 'backup', join(source.env.SVC_DATA_DIR ?? '', below)], {
      env: source.env,
    })
    expect(stderr).toContain('is in SVC_DATA_DIR: name another place')
  })

  it('without a backup, or without that one, is refused', async () => {
    const into = await target()
    const empty = await newPlace()
    expect((await restore(into, empty)).stderr).toContain(`There is no backup in ${empty}`)
    await mkdir(join(empty, '2026-01-31T12-00-00.000Z/tables'), { recursive: true })
    expect((await restore(into, empty)).stderr).toContain('Those that are there were broken off.')
    const { stderr } = await restore(into, place, '--backup', 'yesterday')
    expect(stderr).toContain(
      `There is no whole backup yesterday in ${place}: there are ${await name(place)}.`,
    )
  })
})

describe('a restore', { tags: 'long' }, () => {
  it('refuses a database with an installation unless it is to replace it', async () => {
    const into = await target()
    await copyKey(into)
    await expectRestored(into, place).then((other) => other.stop())
    const refused = await restore(into, place)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already has an installation') })
    const other = await startOn(into)
    await deploy(sample.team, { project: 'plain' })
    await other.stop()
    await expectRestored(into, place, '--replace')
  })

  it('refuses another installation’s files, and replaces them only if it should', async () => {
    const into = await target()
    const other = await startOn(into)
    await makeSample(other)
    await other.stop()
    if (!into.env.DATABASE_URL) await rm(join(into.env.SVC_DATA_DIR ?? '', 'db'), { recursive: true })
    const refused = await restore(into, place)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/files of another installation|already has an installation/)
    if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = await keyOf(source)
    await expectReplaced(into)
  })

  async function expectReplaced(into: Surroundings): Promise<void> {
    expect(await restore(into, place, '--replace')).toMatchObject({ code: 0 })
    const other = await startOn(into)
    onTestFinished(other.stop)
    await expectWhole(other, sample)
  }

  it('refuses while a node runs', async () => {
    const { code, stderr } = await svc(['admin', 'restore', place, '--replace'], { env: source.env })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in use by process'),
    })
    if (!source.env.DATABASE_URL) return
    const env = { ...source.env, SVC_DATA_DIR: join(inject('directory'), 'elsewhere') }
    const elsewhere = await svc(['admin', 'restore', place, '--replace'], { env })
    expect(elsewhere.stderr).toContain('Nodes are connected to the database')
  })

  it('migrates a backup of an older version, of whose last migration it has the columns', async () => {
    const copy = await copyOfPlace()
    const backup = await name(copy)
    const older = await openDirectoryPlace(copy)
    const file = join(copy, backup, 'backup.json')
    const description = parseDescription(await readFile(file, 'utf8'), file)
    // What came with the migrations after it.
    const later = {
      columns: {
        installation_id: ['bucket', 'directory', 'directory_place'],
        projects: ['hsts'],
        domains: ['certificate_wanted'],
      },
      tables: ['direct_uploads', 'certificates', 'acme_accounts', 'acme_challenges', 'ticket_keys'],
    }
    for (const [name, columns] of Object.entries(later.columns)) {
      const table = description.tables.find((each) => each.name === name)
      if (!table) throw new Error(`The backup has no ${name}.`)
      await leaveOut(older, backup, table, columns)
    }
    const tables = description.tables.filter((table) => !later.tables.includes(table.name))
    await writeFile(file, writeDescription({ ...description, tables, migration: '0024_storage' }))
    await expectRestored(await target(), copy)
  })

  it('refuses a backup of a newer version', async () => {
    const copy = await copyOfPlace()
    const file = join(copy, await name(copy), 'backup.json')
    const description = parseDescription(await readFile(file, 'utf8'), file)
    await writeFile(file, writeDescription({ ...description, svc: '9.9.9', migration: '9999_future' }))
    const { code, stderr } = await restore(await target(), copy)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('made by svc 9.9.9, whose database is newer'),
    })
  })
})

/** Writes a table of a backup again without some of its columns. */
async function leaveOut(
  place: Place,
  backup: string,
  table: Description['tables'][number],
  columns: string[],
): Promise<void> {
  const kept = table.columns.flatMap((column, at) => (columns.includes(column) ? [] : [at]))
  const rows = (await buffer(readPacked(place, backup, table))).toString().split('\n').filter(Boolean)
  const lines = rows.map((row) => {
    const values = row.split('\t')
    return `${kept.map((at) => values[at]).join('\t')}\n`
  })
  const names = kept.map((at) => table.columns[at] ?? '')
  const bytes = Buffer.from(lines.join(''))
  Object.assign(
    table,
    { columns: names },
    await writePacked(place, backup, table.file, Readable.from([bytes])),
  )
}

describe('a damaged backup is refused, naming the file', { tags: 'long' }, () => {
  let copy: string
  let into: Surroundings

  beforeEach(async () => {
    copy = await copyOfPlace()
    into = await target()
    if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = await keyOf(source)
  })

  it.each(['backup.json', 'files.gz', 'tables/deployments.gz', 'encryption.key'])('%s', async (file) => {
    if (file === 'encryption.key' && into.env.DATABASE_URL) return
    const path = join(copy, await name(copy), file)
    const bytes = await readFile(path)
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(path, bytes)
    const { code, stderr } = await restore(into, copy)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(file) })
    expect(stderr).toMatch(/damaged/)
    await truncate(path, bytes.length - 1)
    expect((await restore(into, copy)).code).toBe(1)
    await rm(path)
    expect((await restore(into, copy)).code).toBe(1)
    // Nothing looks whole that would have to be replaced.
    expect((await restore(into, place)).code).toBe(0)
  })

  it('a key that is no key any more', async () => {
    if (into.env.DATABASE_URL) return
    const path = join(copy, await name(copy), 'encryption.key')
    await writeFile(path, (await readFile(path, 'utf8')).replace(/./, '@'))
    expect((await restore(into, copy)).stderr).toMatch(/encryption\.key is damaged/)
  })

  it('a file of a site, of which the others are restored if that is wanted', async () => {
    const files = await blobFiles(copy)
    const [damaged = '', gone = ''] = files.filter((each) => !each.includes('e3b0c44298fc1c14'))
    const bytes = await readFile(damaged)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    await writeFile(damaged, bytes)
    await rm(gone)
    const { code, stderr } = await restore(into, copy)
    expect(code).toBe(1)
    expect(stderr).toContain('2 files of sites are missing or damaged')
    for (const file of [damaged, gone]) expect(stderr).toContain(file)
    const partial = await restore(into, copy, '--incomplete')
    expect(partial).toMatchObject({ code: 1, stderr: expect.stringContaining('All is restored but 2 files') })
    const other = await startOn(into)
    onTestFinished(other.stop)
    const check = await svc(['admin', 'check'], { env: into.env })
    for (const file of [damaged, gone]) expect(check.stdout).toContain(file.split('/').at(-1))
  })
})

describe('the encryption key', { tags: 'long' }, () => {
  it('has to be there, or be left out knowingly: then nothing that it encrypted is left', async () => {
    const own = await newPlace()
    await backUp(own)
    const into = await target()
    if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64')
    const refused = await restore(into, own)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/encryption key of (the installation|this backup): put/)
    const without = await restore(into, own, '--new-key')
    expect(without).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Variables have no values any more'),
    })
    const other = await startOn(into)
    onTestFinished(other.stop)
    const { db } = other.installation.store
    expect(await db.select().from(projectEnv)).toEqual([])
    expect(await db.select().from(webhooks)).toMatchObject([
      { enabled: false, disabledReason: 'secret_lost' },
    ])
    expect((await svc(['admin', 'check'], { env: into.env })).stdout).toBe('Nothing is wrong.\n')
  })

  it.runIf(!process.env.TEST_ON)('of another installation is put aside, not overwritten', async () => {
    const into = await target()
    const other = await startOn(into)
    await other.stop()
    const before = await keyOf(into)
    expect((await restore(into, place)).stderr).toContain('already has an installation')
    await expectRestored(into, place, '--replace')
    expect(await keyOf(into)).toBe(await keyOf(source))
    const files = await readdir(into.env.SVC_DATA_DIR ?? '')
    const aside = files.find((file) => file.startsWith('encryption.key.replaced-')) ?? ''
    expect((await readFile(join(into.env.SVC_DATA_DIR ?? '', aside), 'utf8')).trim()).toBe(before)
  })
})
