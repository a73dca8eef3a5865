/** Rows go through COPY as they are, on both engines and from one to the other. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onPglite } from '../../../src/operate/backup/pglite-session.ts'
import { readPostgres, writePostgres } from '../../../src/operate/backup/postgres-session.ts'
import type { Session, Table } from '../../../src/operate/backup/session.ts'
import { chunks } from '../../stores/blobs/conformance.ts'
import { createEmptyDatabase } from '../../support/databases.ts'

const server = process.env.TEST_ON
const table: Table = { name: 'odd "name"', columns: ['id', 'text', 'json', 'flag'] }

let directory: string
let drop = async () => {}
let url = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-sessions-'))
  if (!server) return
  const database = await createEmptyDatabase(server)
  url = database.url
  drop = database.drop
})

afterAll(async () => {
  await drop()
  await rm(directory, { recursive: true })
})

const onEngine = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
  server ? writePostgres(url, async () => {}, work) : onPglite(join(directory, 'db'), work)

/** A table with 5,000 rows of all that has to be escaped, and some that were deleted. */
async function make(session: Session): Promise<void> {
  await session.run('drop table if exists "odd ""name"""')
  await session.run(
    'create table "odd ""name""" (id bigint generated always as identity primary key, ' +
      'text text, json jsonb, flag boolean)',
  )
  await session.run(String.raw`insert into "odd ""name""" (text, json, flag)
    select e'tab\t line\n return\r back\\slash \\N é 🙂 ' || number || repeat('x', 2000),
      jsonb_build_object('a', e'q"\n'), nullif(number % 3, 0) = 1
    from generate_series(1, 5000) as number`)
  await session.run('delete from "odd ""name""" where id % 2 = 0')
}

const digest = async (session: Session) =>
  (
    await session.rows(
      'select count(*)::int as count, ' +
        'md5(string_agg(odd::text, chr(44) order by id)) as md5 from "odd ""name""" as odd',
    )
  )[0]

async function copy(session: Session): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const chunk of session.copyOut(table)) all.push(Buffer.from(chunk))
  return all
}

describe('a session', () => {
  it('copies rows out and in again, exactly', async () => {
    await onEngine(async (session) => {
      await make(session)
      const before = await digest(session)
      expect(before?.count).toBe(2_500)
      const rows = Buffer.concat(await copy(session))
      await session.run('truncate "odd ""name"""')
      // In pieces that end within a row.
      const pieces = Array.from({ length: Math.ceil(rows.length / 70_001) }, (_, i) =>
        rows.subarray(i * 70_001, (i + 1) * 70_001),
      )
      await session.copyIn(table, chunks(...pieces) as AsyncIterable<Buffer>)
      expect(await digest(session)).toEqual(before)
    })
  })

  it('copies an empty table', async () => {
    await onEngine(async (session) => {
      await make(session)
      await session.run('truncate "odd ""name"""')
      expect(await copy(session)).toEqual([])
      await session.copyIn(table, chunks() as AsyncIterable<Buffer>)
      expect((await digest(session))?.count).toBe(0)
    })
  })

  it.each([
    ['that is incomplete', '1\ta'],
    ['that is no row', 'x\n'],
    ['that breaks a constraint at the end', '1\ta\t{}\tt\n1\ta\t{}\tt\n'],
    [
      'that breaks a constraint before many others',
      `1\ta\t{}\tt\n1\ta\t{}\tt\n${'2\ta\t{}\tt\n'.repeat(500_000)}`,
    ],
  ])('rejects, instead of waiting, for a row %s', async (_, rows) => {
    await expect(
      onEngine(async (session) => {
        await make(session)
        await session.run('truncate "odd ""name"""')
        await session.copyIn(table, chunks(rows) as AsyncIterable<Buffer>)
      }),
    ).rejects.toThrow()
  })

  it('rejects as its source does', async () => {
    await expect(
      onEngine(async (session) => {
        await make(session)
        await session.copyIn(table, chunks('9999\ta\t{}\tt\n', new Error('cut off')) as AsyncIterable<Buffer>)
      }),
    ).rejects.toThrow('cut off')
  })
})

describe.runIf(server)('a session that reads PostgreSQL', () => {
  it('sees the database as it was when it began', async () => {
    await onEngine(make)
    await readPostgres(url, async (session) => {
      const before = await digest(session)
      await onEngine((other) => other.run('delete from "odd ""name""" where id < 100'))
      expect(await digest(session)).toEqual(before)
    })
  })

  it('changes nothing', async () => {
    await expect(readPostgres(url, make)).rejects.toThrow('read-only')
  })
})

describe.runIf(server)('a session that writes to PostgreSQL', () => {
  it('leaves nothing of work that fails', async () => {
    await onEngine(make)
    const before = await onEngine(digest)
    const failing = onEngine(async (session) => {
      await session.run('drop table "odd ""name"""')
      throw new Error('broken off')
    })
    await expect(failing).rejects.toThrow('broken off')
    expect(await onEngine(digest)).toEqual(before)
  })
})
