/** A copy of the embedded database, made while it is written to, is as it was at one moment. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyDatabase } from '../../../src/stores/data-dir/copy-database.ts'
import { createDiskReserve, unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { prepareDataDirectory } from '../../support/template.ts'

let directory: string
let client: PGlite

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-copy-'))
  await prepareDataDirectory(directory)
  client = await PGlite.create({ dataDir: join(directory, 'db') })
  await client.exec('create table counted (round int, part int, filler text)')
})

afterEach(async () => {
  await client.close()
  await rm(directory, { recursive: true })
})

const copy = (disk = unreserved) =>
  copyDatabase(join(directory, 'db'), join(directory, 'copy'), (work) => client.runExclusive(work), disk)

/** The rows of each round in the copy. */
async function roundsInCopy(): Promise<number[]> {
  const copied = await PGlite.create({ dataDir: join(directory, 'copy') })
  try {
    const { rows } = await copied.query<{ count: number }>(
      'select count(*)::int as count from counted group by round order by round',
    )
    return rows.map(({ count }) => count)
  } finally {
    await copied.close()
  }
}

it('is refused where the disk is nearly full, before any file is copied', async () => {
  await expect(copy(createDiskReserve(directory, 1024 ** 5))).rejects.toMatchObject({ reason: 'disk_full' })
  const copied = await readdir(join(directory, 'copy'), { recursive: true, withFileTypes: true })
  expect(copied.filter((each) => each.isFile())).toEqual([])
})

const insert = "insert into counted select $1, $2, repeat('x', 5000) from generate_series(1, 20)"

it('of a database that changes all the time has each transaction whole, or not at all', {
  tags: 'long',
}, async () => {
  let isOver = false
  let committed = 0
  async function write(): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      await client.transaction(async (tx) => {
        for (let part = 0; part < 5; part += 1) {
          await tx.query(insert, [round, part])
          await setImmediate()
        }
        await tx.query('update counted set filler = filler || $1 where round = $2 - 1', [
          String(round),
          round,
        ])
      })
      committed = round + 1
      // The engine itself never waits for anything.
      await setImmediate()
    }
  }
  const writing = write()
  await expect.poll(() => committed).toBeGreaterThan(3)
  const before = committed
  await copy()
  const after = committed
  isOver = true
  await writing
  const rounds = await roundsInCopy()
  expect(new Set(rounds)).toEqual(new Set([100]))
  expect(rounds.length).toBeGreaterThanOrEqual(before)
  expect(rounds.length).toBeLessThanOrEqual(after + 1)
})

it('replaces an older copy, and has no file that is gone', async () => {
  await copy()
  await client.exec('create table more as select * from generate_series(1, 10000)')
  await writeFile(join(directory, 'copy', 'left-over'), 'x')
  await client.exec('drop table more; checkpoint')
  await client.exec("insert into counted values (1, 1, 'x')")
  await copy()
  expect(await roundsInCopy()).toEqual([1])
})
