/** The recorded usage of a team is corrected if something was stored without being counted. */
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { recountUsedBytes } from '../../../src/stores/blobs/recount.ts'
import { storage } from '../../../src/stores/db/schema/storage.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'

let node: TestNode

beforeAll(async () => {
  // Without a worker, which would recount by itself.
  node = await startOwnNode()
  return () => node.stop()
})

const db = () => node.installation.store.db
const never = new AbortController().signal

/** A team with this many stored bytes, and this many recorded ones. */
async function newUser(bytes: number): Promise<TestTeam> {
  const team = await newTeam(node)
  await deploy(team, { files: [{ path: 'index.html', content: 'x'.repeat(bytes) }] })
  await usedBytes(team)
  return team
}

async function usedBytes({ owner }: TestTeam): Promise<number> {
  const { body } = await owner('GET', '/v1/overview')
  return body.storage.used_bytes
}

it('for all teams, page by page, without other writes', async () => {
  const teams: TestTeam[] = []
  while (teams.length < 25) teams.push(await newUser(100))
  const ids = teams.map(({ id }) => id).sort()
  const [first = '', last = ''] = [ids.at(0), ids.at(-1)]
  const drifted = inArray(storage.teamId, [first, last])
  await db().update(storage).set({ usedBytes: sql`used_bytes + 77` }).where(drifted)
  const versions = () => db().select({ id: storage.teamId, version: sql`xmin::text` }).from(storage)
  const before = await versions()

  expect(await recountUsedBytes(db(), never)).toBe(2)
  for (const team of teams) expect(await usedBytes(team)).toBe(100)
  const after = new Map((await versions()).map(({ id, version }) => [id, version]))
  const written = before.filter(({ id, version }) => after.get(id) !== version).map(({ id }) => id)
  expect(written.sort()).toEqual([first, last])
})

it('while the team deploys, without an error', async () => {
  const team = await newUser(100)
  const path = (at: number) => ({ path: `${at}.html`, content: `${at}`.padEnd(50) })
  const deploying = Array.from({ length: 8 }, (_, at) => deploy(team, { files: [path(at)] }))
  await Promise.all([...deploying, recountUsedBytes(db(), never), recountUsedBytes(db(), never)])
  expect(await usedBytes(team)).toBe(100 + 8 * 50)
  await db().update(storage).set({ usedBytes: 0 }).where(eq(storage.teamId, team.id))
  expect(await recountUsedBytes(db(), never)).toBe(1)
})

it('of more blobs than one statement reads', async () => {
  const team = await newUser(100)
  await db().execute(sql`
    insert into blobs (team_id, sha256, size, object, br_size)
    select ${team.id}, encode(sha256(i::text::bytea), 'hex'), 10, 'recount-' || i, 1
    from generate_series(1, ${25_000}::int) as i`)
  expect(await recountUsedBytes(db(), never)).toBe(1)
  expect(await usedBytes(team)).toBe(100 + 25_000 * 11)
  await db().delete(storage).where(eq(storage.teamId, team.id))
  expect(await usedBytes(team)).toBe(100 + 25_000 * 11)
})

it('and keeps what is added during the recount', async () => {
  const team = await newUser(100)
  await db().update(storage).set({ usedBytes: 7 }).where(eq(storage.teamId, team.id))
  const path = (at: number) => ({ path: `${at}.html`, content: `${at}`.padEnd(50) })
  const deploying = Array.from({ length: 8 }, (_, at) => deploy(team, { files: [path(at)] }))
  const counting = recountUsedBytes(db(), never)
  await Promise.all(deploying)
  expect(await counting).toBe(1)
  expect(await usedBytes(team)).toBe(100 + 8 * 50)
})
