/** The settings of a project's server: what starts it, and what it may take. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

const mebibyte = 1024 * 1024
const initial = {
  memory_bytes: 512 * mebibyte,
  health_path: null,
  idle_s: 900,
  min: 0,
  network: 'none',
  ports: null,
  release: null,
}
const put = (body: Record<string, unknown>) => team.owner('PUT', '/v1/projects/web', body)

it('null goes back to what is at first, of one setting or of all', async () => {
  const start = 'node server.mjs'
  const runtime = {
    ...{ memory_bytes: 128 * mebibyte, health_path: '/health?deep=1', idle_s: 86_400 },
    ...{ network: 'tcp', ports: [5432, 6379] },
  }
  expect((await put({ start, runtime })).body).toMatchObject({ start, runtime })
  const one = await put({ start: null, runtime: { idle_s: null } })
  expect(one.body).toMatchObject({ start: null, runtime: { ...runtime, idle_s: 900 } })
  expect((await put({ runtime: null })).body.runtime).toEqual(initial)
  expect((await team.owner('GET', '/v1/projects')).body.data).toMatchObject([{ runtime: initial }])
})

it('loses none of several concurrent changes', async () => {
  const changes = [{ memory_bytes: 4_096 * mebibyte }, { health_path: '/' }, { idle_s: 60 }]
  await Promise.all(changes.map((runtime) => put({ runtime })))
  const { body } = await team.owner('GET', '/v1/projects/web')
  expect(body.runtime).toEqual(Object.assign({ ...initial }, ...changes))
})

it.each([
  ['an empty command', { start: '' }, 'start'],
  ['a command of 1,001 characters', { start: 'x'.repeat(1_001) }, 'start'],
  ['a command of a project that is part of its build', { build: { start: 'node a.mjs' } }, 'build.start'],
  ['less than 128 MiB', { runtime: { memory_bytes: 128 * mebibyte - 1 } }, 'runtime.memory_bytes'],
  ['more than 4 GiB', { runtime: { memory_bytes: 4_096 * mebibyte + 1 } }, 'runtime.memory_bytes'],
  ['part of a byte', { runtime: { memory_bytes: 256 * mebibyte + 0.5 } }, 'runtime.memory_bytes'],
  ['idle for less than a minute', { runtime: { idle_s: 59 } }, 'runtime.idle_s'],
  ['idle for more than a day', { runtime: { idle_s: 86_401 } }, 'runtime.idle_s'],
  ['a path that does not begin with /', { runtime: { health_path: 'health' } }, 'runtime.health_path'],
  ['a path with a space', { runtime: { health_path: '/a b' } }, 'runtime.health_path'],
  ['a path with a line break', { runtime: { health_path: '/a\r\nX: y' } }, 'runtime.health_path'],
  [
    'a path of 1,001 characters',
    { runtime: { health_path: `/${'x'.repeat(1_000)}` } },
    'runtime.health_path',
  ],
  ['two processes that always run', { runtime: { min: 2 } }, 'runtime.min'],
  ['a network that is none', { runtime: { network: 'host' } }, 'runtime.network'],
  ['all ports', { runtime: { network: 'tcp' } }, 'runtime.ports'],
  ['its own port', { runtime: { network: 'tcp', ports: [3000] } }, 'runtime.ports.0'],
  ['no ports', { runtime: { network: 'tcp', ports: [] } }, 'runtime.ports'],
  [
    'more than 20 ports',
    { runtime: { ports: Array.from({ length: 21 }, (_, at) => at + 1) } },
    'runtime.ports',
  ],
  ['an empty release command', { runtime: { release: '' } }, 'runtime.release'],
])('400 that names the field: %s', async (_, body, path) => {
  const refused = await put(body)
  expect(refused).toMatchObject({ status: 400, body: { reason: 'invalid_input', issues: [{ path }] } })
  expect(refused.body.issues).toHaveLength(1)
})

describe('a member', () => {
  it('says what starts the server, and what tells that it is well', async () => {
    const { api } = await addMember(node, team)
    const answer = await api('PUT', '/v1/projects/web', {
      start: 'node a.mjs',
      runtime: { health_path: '/' },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { start: 'node a.mjs', runtime: { health_path: '/' } },
    })
    const none = await api('PUT', '/v1/projects/web', { runtime: { health_path: null } })
    expect(none).toMatchObject({ status: 200, body: { runtime: initial } })
  })

  it.each([
    ['its memory', { memory_bytes: 256 * mebibyte }],
    ['when it is idle', { idle_s: null }],
    ['that it always runs', { min: 1 }],
    ['its network', { network: 'none' }],
    ['its ports', { ports: [25] }],
    ['its release command', { release: 'true' }],
    ['all of it', null],
  ])('403 role_required for %s, and nothing changes', async (_, runtime) => {
    await put({ runtime: { memory_bytes: 1_024 * mebibyte } })
    const { api } = await addMember(node, team)
    const answer = await api('PUT', '/v1/projects/web', { start: 'node a.mjs', runtime })
    expect(answer).toMatchObject({ status: 403, body: { reason: 'role_required' } })
    const { body } = await team.owner('GET', '/v1/projects/web')
    expect(body).toMatchObject({ start: null, runtime: { memory_bytes: 1_024 * mebibyte } })
  })
})
