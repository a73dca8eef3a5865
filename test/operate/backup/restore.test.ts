/**
 * What a restore replaces, refuses and migrates, and which key it leaves.
 * @module-tag long
 */
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Place } from '../../../src/operate/backup/backup-place.ts'
import {
  type Description,
  parseDescription,
  writeDescription,
} from '../../../src/operate/backup/description.ts'
import { openDirectoryPlace } from '../../../src/operate/backup/directory-place.ts'
import { readPacked, writePacked } from '../../../src/operate/backup/packed.ts'
import { migrationLock } from '../../../src/stores/db/migrate.ts'
import { branchEnv } from '../../../src/stores/db/schema/branch-env.ts'
import { projectEnv } from '../../../src/stores/db/schema/projects.ts'
import { webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import {
  type BackedUp,
  copyKey,
  copyOf,
  keyOf,
  newestIn,
  newPlace,
  startBackedUp,
  target,
} from './backed-up.ts'
import { type Surroundings, startOn } from './places.ts'
import { expectWhole, makeSample } from './sample.ts'

let backedUp: BackedUp

beforeAll(async () => {
  backedUp = await startBackedUp()
}, 120_000)

afterAll(() => backedUp.close())

describe('a restore', () => {
  it('refuses a database with an installation unless it is to replace it', async () => {
    const into = await target()
    await copyKey(backedUp.source, into)
    await backedUp.expectRestored(into, backedUp.place).then((other) => other.stop())
    const refused = await backedUp.restore(into, backedUp.place)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already has an installation') })
    const other = await startOn(into)
    await deploy(backedUp.sample.team, { project: 'plain' })
    await other.stop()
    await backedUp.expectRestored(into, backedUp.place, '--replace')
  })

  it('of two at once into one database, lets one in', async ({ skip }) => {
    const into = await target()
    const { DATABASE_URL: url } = into.env
    if (!url) return skip('who holds the data directory is alone with the embedded database')
    into.env.SVC_ENCRYPTION_KEY = await keyOf(backedUp.source)
    const beside = { ...into, env: { ...into.env, SVC_DATA_DIR: `${into.env.SVC_DATA_DIR}-beside` } }
    const sql = postgres(url, { max: 1 })
    onTestFinished(() => sql.end())
    // Both have seen an empty database, and wait.
    await sql`select pg_advisory_lock(${migrationLock}::bigint)`
    const restores = [into, beside].map((each) => backedUp.restore(each, backedUp.place))
    const waiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`).length
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2)
    await sql`select pg_advisory_unlock(${migrationLock}::bigint)`
    const ends = await Promise.all(restores)
    expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 1])
    expect(ends.map(({ stderr }) => stderr).join('')).toContain('already has an installation')
  })

  it('refuses another installation’s files, and replaces them only if it should', async () => {
    const into = await target()
    const other = await startOn(into)
    await makeSample(other)
    await other.stop()
    if (!into.env.DATABASE_URL) await rm(join(into.env.SVC_DATA_DIR ?? '', 'db'), { recursive: true })
    const refused = await backedUp.restore(into, backedUp.place)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/files of another installation|already has an installation/)
    if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = await keyOf(backedUp.source)
    await expectReplaced(into)
  })

  async function expectReplaced(into: Surroundings): Promise<void> {
    expect(await backedUp.restore(into, backedUp.place, '--replace')).toMatchObject({ code: 0 })
    const other = await startOn(into)
    onTestFinished(other.stop)
    await expectWhole(other, backedUp.sample)
  }

  it('refuses while a node runs', async () => {
    const { code, stderr } = await backedUp.svc(['admin', 'restore', backedUp.place, '--replace'], {
      env: backedUp.source.env,
    })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in use by process'),
    })
    if (!backedUp.source.env.DATABASE_URL) return
    const env = { ...backedUp.source.env, SVC_DATA_DIR: join(inject('directory'), 'elsewhere') }
    const elsewhere = await backedUp.svc(['admin', 'restore', backedUp.place, '--replace'], { env })
    expect(elsewhere.stderr).toContain('Nodes are connected to the database')
  })

  it('migrates a backup of an older version, of whose last migration it has the columns', async () => {
    const migration = '0024_storage'
    const copy = await copyOf(backedUp.place)
    const backup = await newestIn(copy)
    const older = await openDirectoryPlace(copy)
    const file = join(copy, backup, 'backup.json')
    const description = parseDescription(await readFile(file, 'utf8'), file)
    const later = await addedAfter(migration)
    for (const [name, columns] of later.columns) {
      const table = description.tables.find((each) => each.name === name)
      if (!table) throw new Error(`The backup has no ${name}.`)
      await leaveOut(older, backup, table, columns)
    }
    const tables = description.tables.filter((table) => !later.tables.includes(table.name))
    await writeFile(file, writeDescription({ ...description, tables, migration }))
    await backedUp.expectRestored(await target(), copy)
  })

  it('refuses a backup of a newer version', async () => {
    const copy = await copyOf(backedUp.place)
    const file = join(copy, await newestIn(copy), 'backup.json')
    const description = parseDescription(await readFile(file, 'utf8'), file)
    await writeFile(file, writeDescription({ ...description, svc: '9.9.9', migration: '9999_future' }))
    const { code, stderr } = await backedUp.restore(await target(), copy)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('made by svc 9.9.9, whose database is newer'),
    })
  })
})

/** The tables that came with later migrations, and the columns of earlier tables. */
async function addedAfter(migration: string) {
  const files = (await readdir('drizzle')).filter(
    (name) => name.endsWith('.sql') && name > `${migration}.sql`,
  )
  const texts = await Promise.all(files.map((name) => readFile(join('drizzle', name), 'utf8')))
  const sql = texts.join('\n')
  const tables = [...sql.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name = '']) => name)
  const columns = new Map<string, string[]>()
  for (const [, table = '', column = ''] of sql.matchAll(/ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/g))
    if (!tables.includes(table)) columns.set(table, [...(columns.get(table) ?? []), column])
  return { tables, columns }
}

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

describe('the encryption key', () => {
  it('has to be there, or be left out knowingly: then nothing that it encrypted is left', async () => {
    const own = await newPlace()
    await backedUp.backUp(own)
    const into = await target()
    if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64')
    const refused = await backedUp.restore(into, own)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/encryption key of (the installation|this backup): put/)
    const without = await backedUp.restore(into, own, '--new-key')
    expect(without).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Variables have no values any more'),
    })
    const other = await startOn(into)
    onTestFinished(other.stop)
    const { db } = other.installation.store
    expect(await db.select().from(projectEnv)).toEqual([])
    expect(await db.select().from(branchEnv)).toEqual([])
    expect(await db.select().from(webhooks)).toMatchObject([
      { enabled: false, disabledReason: 'secret_lost' },
    ])
    expect((await backedUp.svc(['admin', 'check'], { env: into.env })).stdout).toBe('Nothing is wrong.\n')
  })

  it.runIf(!process.env.TEST_ON)('that is damaged, cut off or missing is refused', async () => {
    const copy = await copyOf(backedUp.place)
    const into = await target()
    const path = join(copy, await newestIn(copy), 'encryption.key')
    const key = await readFile(path, 'utf8')
    const another = Buffer.alloc(32, 7).toString('base64')
    for (const damaged of [`${another}\n`, key.replace(/./, '@')]) {
      await writeFile(path, damaged)
      const { code, stderr } = await backedUp.restore(into, copy)
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('encryption.key is damaged'),
      })
    }
    await truncate(path, key.length - 1)
    expect((await backedUp.restore(into, copy)).code).toBe(1)
    await rm(path)
    expect((await backedUp.restore(into, copy)).code).toBe(1)
    // Nothing looks whole that would have to be replaced.
    expect((await backedUp.restore(into, backedUp.place)).code).toBe(0)
  })

  it.runIf(!process.env.TEST_ON)('of another installation is put aside, not overwritten', async () => {
    const into = await target()
    const other = await startOn(into)
    await other.stop()
    const before = await keyOf(into)
    expect((await backedUp.restore(into, backedUp.place)).stderr).toContain('already has an installation')
    await backedUp.expectRestored(into, backedUp.place, '--replace')
    expect(await keyOf(into)).toBe(await keyOf(backedUp.source))
    const files = await readdir(into.env.SVC_DATA_DIR ?? '')
    const aside = files.find((file) => file.startsWith('encryption.key.replaced-')) ?? ''
    expect((await readFile(join(into.env.SVC_DATA_DIR ?? '', aside), 'utf8')).trim()).toBe(before)
  })
})
