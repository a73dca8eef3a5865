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
import {
  type Description,
  parseDescription,
  writeDescription,
} from '../../../src/operate/backup/description.ts'
import { openDirectoryPlace } from '../../../src/operate/backup/directory-place.ts'
import { readPacked, writePacked } from '../../../src/operate/backup/packed.ts'
import type { Place } from '../../../src/operate/backup/place.ts'
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
    const copy = await copyOf(backedUp.place)
    const backup = await newestIn(copy)
    const older = await openDirectoryPlace(copy)
    const file = join(copy, backup, 'backup.json')
    const description = parseDescription(await readFile(file, 'utf8'), file)
    // What came with the migrations after it.
    const later = {
      columns: {
        installation_id: ['bucket', 'directory', 'directory_place'],
        projects: [
          'hsts',
          'password_hash',
          'access_version',
          'active_ms',
          'production_branch',
          'production_branch_by',
          'branch_addresses',
        ],
        hosts: ['branch', 'pull_request'],
        domains: ['certificate_wanted'],
        deployments: [
          'warnings',
          'build_given',
          'source_kind',
          'source_name',
          'redeploy_of',
          'untrusted',
          'pushed_too',
          'spa',
        ],
        project_env: ['fingerprint'],
        manifests: ['hash_places'],
        records: ['strings'],
        users: ['teams_made', 'teams_made_since_ms', 'links_made', 'links_made_since_ms', 'visit_version'],
        teams: ['access_version', 'second_factor_required'],
        sessions: ['proven_by'],
        members: ['limited'],
        invitations: ['projects'],
        traffic: ['responses_2xx', 'responses_3xx', 'responses_4xx', 'responses_404'],
        webhooks: ['format'],
        deliveries: ['sent_to'],
      },
      tables: [
        'branch_env',
        'branches',
        'direct_uploads',
        'second_factors',
        'passkeys',
        'spent_challenges',
        'certificates',
        'certificate_orders',
        'acme_accounts',
        'acme_challenges',
        'ticket_keys',
        'name_histories',
        'member_projects',
        'own_uploads',
        'share_links',
        'deploy_hooks',
        'trust_policies',
        'project_repositories',
        'forge_deliveries',
        'forge_reports',
        'closed_pull_requests',
        'visit_codes',
        'claimed_addresses',
        'invitation_links',
        'webhook_subscribers',
      ],
    }
    for (const [name, columns] of Object.entries(later.columns)) {
      const table = description.tables.find((each) => each.name === name)
      if (!table) throw new Error(`The backup has no ${name}.`)
      await leaveOut(older, backup, table, columns)
    }
    const tables = description.tables.filter((table) => !later.tables.includes(table.name))
    await writeFile(file, writeDescription({ ...description, tables, migration: '0024_storage' }))
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
