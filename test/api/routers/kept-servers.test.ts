/** Servers that always run, on a node whose room is known. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const mebibyte = 1024 * 1024

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode({
    SVC_ROLES: 'api',
    SVC_DATABASE_CONNECTIONS: '8',
    SVC_RUNTIME_MAX: '8',
    SVC_RUNTIME_BYTES: String(4_096 * mebibyte),
  })
})

afterAll(() => node.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const keep = (project: string, runtime: Record<string, unknown> = {}) =>
  team.owner('PUT', `/v1/projects/${project}`, { runtime: { min: 1, ...runtime } })

it('have a quarter of a node of the team, however many ask at once', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  for (const name of names) await team.owner('PUT', `/v1/projects/${name}`)
  const answers = await Promise.all(names.map((name) => keep(name)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 409)).toHaveLength(6)
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    reason: 'no_room',
    message: expect.stringContaining('2 servers of a team that always run, with 1024 MiB together'),
  })
  const other = await newTeam(node)
  const { status } = await other.owner('PUT', '/v1/projects/web', { runtime: { min: 1 } })
  expect(status).toBe(200)
})

it('grow only within it, and give it back', async () => {
  const bytes = { memory_bytes: 1_024 * mebibyte }
  expect((await keep('web', bytes)).status).toBe(200)
  expect(await keep('next', { memory_bytes: 128 * mebibyte })).toMatchObject({ status: 409 })
  const grown = await team.owner('PUT', '/v1/projects/web', { runtime: { memory_bytes: 1_025 * mebibyte } })
  expect(grown).toMatchObject({ status: 409, body: { reason: 'no_room' } })
  expect(await keep('web', { min: null })).toMatchObject({ status: 200, body: { runtime: { min: 0 } } })
  expect((await keep('next', bytes)).status).toBe(200)
})
