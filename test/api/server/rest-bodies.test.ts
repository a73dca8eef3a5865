import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { exchangeAll, head } from './raw-http.ts'

let node: TestNode
let team: TestTeam
let project: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
})

const inBody = { name: 'a', role: 'member' }

async function issuesOf(method: string, path: string, body: unknown): Promise<string[]> {
  const answer = await team.owner(method, path, body)
  expect({ status: answer.status, reason: answer.body.reason }).toEqual({
    status: 400,
    reason: 'invalid_input',
  })
  const [first] = answer.body.issues
  const inFile = first.path.startsWith('files.')
  expect(answer.body.message).toBe(inFile ? first.message : `${first.path}: ${first.message}`)
  return answer.body.issues.map((issue: { path: string }) => issue.path)
}

describe('400 invalid_input names the field', () => {
  it('that is unknown', async () => {
    expect(await issuesOf('POST', '/v1/apikeys', { ...inBody, rol: 'owner' })).toEqual(['rol'])
  })

  it.each(['team', 'team_id', 'teamId', 'id', 'created_ms', 'createdAt', 'token', 'user'])(
    'that clients may not set: %s',
    async (field) => {
      expect(await issuesOf('POST', '/v1/apikeys', { ...inBody, [field]: 'x' })).toEqual([field])
      expect(await issuesOf('PUT', `/v1/projects/${project}`, { [field]: 'x' })).toEqual([field])
    },
  )

  it('that is unknown, further in', async () => {
    const body = {
      project,
      files: [
        { path: 'a', content: 'a' },
        { path: 'b', content: 'b', mode: 1 },
      ],
    }
    expect(await issuesOf('POST', '/v1/deployments', body)).toEqual(['files.1.mode'])
    expect(await team.owner('POST', '/v1/deployments', body)).toMatchObject({
      body: { message: '"b": mode: unknown field' },
    })
  })

  it('that is missing', async () => {
    expect(await issuesOf('POST', '/v1/apikeys', {})).toEqual(['name'])
    expect(await team.owner('POST', '/v1/apikeys', {})).toMatchObject({
      body: { message: 'name: required' },
    })
  })

  it('that is null although it cannot be cleared', async () => {
    expect(await issuesOf('POST', '/v1/apikeys', { name: null })).toEqual(['name'])
  })

  it('that is in the path already, even with the same value', async () => {
    expect(await issuesOf('PUT', `/v1/projects/${project}`, { project })).toEqual(['project'])
  })

  it('every one of several invalid fields', async () => {
    const body = {
      name: 5,
      protection: 'some',
      env: [{ key: '1', value: true }],
      preview_ttl_days: 0,
      other: 1,
    }
    const issues = await issuesOf('PUT', `/v1/projects/${project}`, body)
    expect(issues.sort()).toEqual([
      'env.0.key',
      'env.0.value',
      'name',
      'other',
      'preview_ttl_days',
      'protection',
    ])
  })

  it('at most 50 of them', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field_${i}`, i]))
    expect(await issuesOf('PUT', `/v1/projects/${project}`, unknown)).toHaveLength(50)
  })

  it('and changes nothing', async () => {
    const before = await team.owner('GET', `/v1/projects/${project}`)
    await issuesOf('PUT', `/v1/projects/${project}`, { spa: true, env: [{ key: 'A', value: 'a' }], other: 1 })
    expect((await team.owner('GET', `/v1/projects/${project}`)).body).toEqual(before.body)
  })
})

describe('a body is optional if every field is', () => {
  it('PUT of a project', async () => {
    const { status, body } = await team.owner('PUT', `/v1/projects/${unique('empty')}`)
    expect({ status, env: body.env }).toEqual({ status: 200, env: [] })
  })

  it('promote', async () => {
    const files = [{ path: 'index.html', content: 'a' }]
    const { body } = await team.owner('POST', '/v1/deployments', { project, files })
    const promote = `/v1/deployments/${body.id}/promote`
    expect((await team.owner('POST', promote)).body.live).toBe(true)
    expect((await team.owner('POST', promote, {})).status).toBe(200)
    expect(await issuesOf('POST', promote, { now: true })).toEqual(['now'])
  })

  it('an empty object is the same', async () => {
    expect((await team.owner('PUT', `/v1/projects/${unique('empty')}`, {})).status).toBe(200)
  })
})

describe('operations without a body', () => {
  it('400 on GET for any body; the connection stays usable behind one of a known length', async () => {
    const auth = `Authorization: Bearer ${team.ownerKey}`
    const fields = [auth, 'Content-Type: application/json', 'Content-Length: 11']
    const withBody = `${head('GET /v1/projects', ...fields)}{"limit":1}`
    const chunked = `${head('GET /v1/projects', auth, 'Transfer-Encoding: chunked')}0\r\n\r\n`
    const answers = await exchangeAll(node, withBody + head('GET /v1/projects', auth) + chunked, 3)
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 400])
    expect(JSON.parse(answers[0]?.body ?? '').reason).toBe('invalid_input')
  })

  it('400 on DELETE names the body’s fields, and nothing is deleted', async () => {
    expect(await issuesOf('DELETE', `/v1/projects/${project}`, { force: true })).toEqual(['force'])
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(200)
  })
})
