import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let deployment: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  for (const name of ['a', 'b', 'c']) await team.owner('PUT', `/v1/projects/${unique(name)}`)
  const { body } = await team.owner('POST', '/v1/deployments', {
    project,
    files: [{ path: 'a', content: 'a' }],
  })
  deployment = body.id
})

const list = (query: string) => team.owner('GET', `/v1/projects?${query}`)

function expectIssue(answer: Answer, path: string): void {
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('BAD_REQUEST')
  expect(answer.body.reason).toBe('invalid_input')
  expect(new Set(answer.body.issues.map((issue: { path: string }) => issue.path))).toEqual(new Set([path]))
  expect(answer.body.message).toContain(path)
}

describe('a number in the query', () => {
  it.each(['limit=2', 'limit=02', 'limit=2&', '&limit=2', 'limit=2.0', 'l%69mit=%32'])(
    '%s is valid',
    async (query) => {
      const { status, body } = await list(query)
      expect(status).toBe(200)
      expect(body.data).toHaveLength(2)
    },
  )

  it.each([
    'limit=12x',
    'limit=0',
    'limit=-1',
    'limit=101',
    'limit=1e1',
    'limit=0x10',
    'limit=1.5',
    'limit=',
    'limit',
    'limit=%20',
    'limit=+2',
    'limit=NaN',
    'limit=Infinity',
    'limit=null',
    'limit=true',
    'limit=2,3',
    'limit=%D9%A2',
    'limit=99999999999999999999999',
  ])('400: %s', async (query) => {
    expectIssue(await list(query), 'limit')
  })

  it('0 where 0 is allowed', async () => {
    expect((await team.owner('GET', `/v1/deployments/${deployment}?wait_s=0`)).status).toBe(200)
    expect((await team.owner('GET', '/v1/deployments?since_ms=0')).body.data).toHaveLength(1)
  })

  it.each(['wait_s=31', 'wait_s=-1', 'wait_s=a', 'wait_s='])('400: %s', async (query) => {
    expectIssue(await team.owner('GET', `/v1/deployments/${deployment}?${query}`), 'wait_s')
  })
})

describe('text in the query', () => {
  it('stays text, whatever it looks like', async () => {
    const project = unique('p5')
    await team.owner('PUT', `/v1/projects/${project}`)
    expect((await list('q=5')).body.data.map(({ name }: { name: string }) => name)).toContain(project)
    expect((await list('q=true')).body.data).toEqual([])
    expect((await list('q=null')).body.data).toEqual([])
  })

  it('is decoded: + and %20 are a space, %2B is a plus', async () => {
    const project = unique('site')
    await team.owner('PUT', `/v1/projects/${project}`)
    for (const branch of ['a b', 'a+b', 'bücher/💥', 'a&b=c', '%']) {
      const files = [{ path: 'a', content: 'a' }]
      const { body } = await team.owner('POST', '/v1/deployments', { project, files, meta: { branch } })
      const query = new URLSearchParams({ branch, project })
      const answer = await team.owner('GET', `/v1/deployments?${query}`)
      expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id])
    }
  })

  it.each(['state=ready,', 'state=', 'state=Ready', 'state=ready;error'])(
    '400 for an unknown state: %s',
    async (query) => {
      const answer = await team.owner('GET', `/v1/deployments?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body.issues[0].path).toMatch(/^state/)
    },
  )
})

describe('unknown parameters', () => {
  it.each(['limt', 'Limit', '__proto__', 'constructor', 'toString', 'limit[]', 'project', '0', ''])(
    '400 names them: %j',
    async (name) => {
      expectIssue(await list(`${encodeURIComponent(name)}=1`), name)
    },
  )

  it('400: a parameter given twice', async () => {
    for (const [query, name] of [
      ['limit=2&limit=2', 'limit'],
      ['q=a&limit=2&q=b', 'q'],
    ] as const) {
      const answer = await list(query)
      expectIssue(answer, name)
      expect(answer.body.message).toBe(`${name}: given more than once`)
    }
  })

  it('400: U+0000, in a value and in a name', async () => {
    expectIssue(await list('q=a%00'), 'q')
    const { status, body } = await list('a%00=1')
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
  })

  it('400: a parameter of the path', async () => {
    expectIssue(
      await team.owner('GET', `/v1/deployments/${deployment}?deployment=${deployment}`),
      'deployment',
    )
  })

  it.each(['POST', 'PUT'])('400: a field of the body of %s', async (method) => {
    const path = method === 'PUT' ? `/v1/projects/${unique('site')}` : '/v1/apikeys'
    expectIssue(await team.owner(method, `${path}?name=other`, { name: 'other' }), 'name')
  })

  it('400: anything on a DELETE', async () => {
    expectIssue(await team.owner('DELETE', `/v1/deployments/${deployment}?force=true`), 'force')
    expect((await team.owner('GET', `/v1/deployments/${deployment}`)).status).toBe(200)
  })
})

describe('a cursor', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  it.each([
    'a',
    '',
    'bm9uc2Vuc2U',
    encode(null),
    encode({}),
    encode([]),
    encode([1]),
    encode(['a', 'b']),
    encode(["'; drop table projects; --"]),
    encode(['a\u0000']),
    encode([Number.MAX_SAFE_INTEGER, 'a']),
  ])('400 invalid_cursor when it is not one of ours: %j', async (cursor) => {
    const { status, body } = await list(`cursor=${cursor}`)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_cursor' })
  })

  it('400 when it is longer than any of ours', async () => {
    expectIssue(await list(`cursor=${'a'.repeat(1_001)}`), 'cursor')
  })
})
