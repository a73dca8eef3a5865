import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { startOwnNode } from './own-node.ts'

const onPostgres = process.env.TEST_ON !== undefined

let node: TestNode
let admin: postgres.Sql

beforeAll(async () => {
  if (!onPostgres) return
  node = await startOwnNode({ SVC_DATABASE_CONNECTIONS: '2' })
  admin = postgres(String(node.settings.DATABASE_URL), { max: 1 })
})

afterAll(async () => {
  await admin?.end()
  await node?.stop()
})

it.runIf(onPostgres)('a busy node has as many connections as configured, and two more', async () => {
  const team = await newTeam(node)
  const puts = Array.from({ length: 30 }, (_, index) => team.owner('PUT', `/v1/projects/busy-${index}`))
  const lists = Array.from({ length: 30 }, () => team.owner('GET', '/v1/projects'))
  const statuses = (await Promise.all([...puts, ...lists])).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // No open connection is closed within a minute.
  const [{ open } = { open: 0 }] = await admin<{ open: number }[]>`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and application_name = 'svc'`
  expect(open).toBe(4)
})
