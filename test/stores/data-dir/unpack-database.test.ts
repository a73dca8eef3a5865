/** The database that a first start unpacks instead of creating one. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { openInstallation } from '../../../src/operate/node/installation.ts'
import { unpackDatabase } from '../../../src/stores/data-dir/unpack-database.ts'
import { openPglite } from '../../../src/stores/db/open-database.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-unpack-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

describe('the prepared database', () => {
  it('has every migration and no templates, and is readable by its owner only', async () => {
    const unpacked = join(directory, 'unpacked')
    expect(await unpackDatabase(unpacked)).toBe(true)
    expect((await stat(unpacked)).mode & 0o077).toBe(0)
    expect((await stat(join(unpacked, 'PG_VERSION'))).mode & 0o077).toBe(0)
    const { entries } = z
      .object({ entries: z.array(z.object({ when: z.number() })) })
      .parse(
        JSON.parse(await readFile(new URL('../../../drizzle/meta/_journal.json', import.meta.url), 'utf8')),
      )
    const database = await openPglite(unpacked)
    const { rows } = z
      .object({ rows: z.array(z.object({ created_at: z.coerce.number() })) })
      .parse(await database.db.execute(sql`select created_at from drizzle.__drizzle_migrations order by id`))
    const databases = await database.db.execute(sql`select datname from pg_database`)
    await database.close()
    expect(rows.map((row) => row.created_at)).toEqual(entries.map(({ when }) => when))
    expect(databases, 'a template is as many files again').toMatchObject({ rows: [{ datname: 'postgres' }] })
  })
})

describe('a first start', () => {
  it('starts over when an earlier one died while it unpacked', async () => {
    const data = join(directory, 'data')
    await mkdir(join(data, 'db.new', 'base'), { recursive: true })
    await writeFile(join(data, 'db.new', 'PG_VERSION'), '')
    const installation = await openInstallation(parseSettings({ SVC_DATA_DIR: data }))
    await installation.close()
    expect(await readdir(data)).toContain('db')
    expect(await readdir(data)).not.toContain('db.new')
  })
})
