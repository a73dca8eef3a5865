import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { byDigest, deploy, visit, visitBytes } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const page = { path: 'index.html', content: 'hello' }

describe('POST /v1/deployments', () => {
  it('returns a deployment that is ready, and at its own URL at once', async () => {
    const team = await newTeam(node)
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    const beforeMs = Date.now()
    const meta = { branch: 'main', commit: 'abc', message: 'Grüße 🔑\n' }
    const { status, body } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [page, { path: 'über/seite.html', content: 'grüße' }, { path: 'bytes', content_base64: 'AP/+' }],
      meta,
    })
    expect(status).toBe(200)
    const { id, url, created_ms, aliases, ...rest } = body
    const { branches } = (await team.owner('GET', '/v1/projects/web')).body
    expect(branches).toEqual([{ name: 'main', url: aliases[0], deployment: id }])
    expect(rest).toEqual({
      project: 'web',
      target: 'preview',
      state: 'ready',
      live: false,
      live_since_ms: null,
      rollback_candidate: false,
      queue_position: null,
      build: { ...project.build, start: null },
      server: null,
      error: null,
      files: 3,
      bytes: 15,
      meta,
      warnings: [],
      source: { kind: 'api', name: 'owner' },
      redeploy_of: null,
      untrusted: false,
      created_by: team.ownerId,
      created_by_name: 'owner',
      building_ms: null,
      ready_ms: created_ms,
      ended_ms: created_ms,
      expires_ms: null,
    })
    expect(id).toMatch(/^dpl_[0-9a-f]{32}$/)
    expect(url).toMatch(/^http:\/\/web-[0-9a-f]{12}\.localhost:\d+$/)
    expect(created_ms).toBeGreaterThanOrEqual(beforeMs)
    expect(await visit(url)).toEqual({ status: 200, body: 'hello' })
    expect((await visit(url, '/%C3%BCber/seite.html')).body).toBe('grüße')
    expect((await visitBytes(url, '/bytes')).bytes.toString('hex')).toBe('00fffe')
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body).toEqual(body)
  })

  it('accepts the project by name or id', async () => {
    const team = await newTeam(node)
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    for (const reference of ['web', project.id]) {
      const { body } = await team.owner('POST', '/v1/deployments', { project: reference, files: [page] })
      expect(body.project).toBe('web')
    }
  })

  it('has the current name of the project', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    await team.owner('PUT', '/v1/projects/web', { name: 'site' })
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.project).toBe('site')
  })

  it('is allowed to members, and records who created it', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const { api, userId } = await addMember(node, team)
    const { status, body } = await api('POST', '/v1/deployments', { project: 'web', files: [page] })
    expect(status).toBe(200)
    expect(body.created_by).toBe(userId)
  })

  it('creates separate deployments, also of the same files, also concurrently', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const create = () => team.owner('POST', '/v1/deployments', { project: 'web', files: [page] })
    const answers = await Promise.all(Array.from({ length: 8 }, create))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(8)
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(8)
    for (const { body } of answers) expect((await visit(body.url)).body).toBe('hello')
  })

  it('404 project_not_found with the way to create an unknown project, and stores nothing', async () => {
    const team = await newTeam(node)
    const id = newId('project', 1)
    const ways: [string, string][] = [
      ['nothing', 'The team has no project nothing. PUT /v1/projects/nothing creates it.'],
      [id, `The team has no project ${id}.`],
    ]
    for (const [project, message] of ways) {
      const { status, body } = await team.owner('POST', '/v1/deployments', { project, files: [page] })
      expect({ status, reason: body.reason, message: body.message }).toEqual({
        status: 404,
        reason: 'project_not_found',
        message,
      })
    }
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no project', { project: undefined }, 'project'],
    ['no files', { files: undefined }, 'files'],
    ['an empty list of files', { files: [] }, 'files'],
    ['another target', { target: 'staging' }, 'target'],
    ['an unknown field', { branch: 'main' }, 'branch'],
    ['a state', { state: 'ready' }, 'state'],
    ['an id', { id: newId('deployment', 1) }, 'id'],
    ['an unknown field of a file', { files: [{ ...page, mode: 644 }] }, 'files.0.mode'],
    ['a file without a path', { files: [page, { content: 'x' }] }, 'files.1.path'],
    ['a path that is not text', { files: [{ path: 1, content: 'x' }] }, 'files.0.path'],
    ['a path outside of the site', { files: [page, { path: '../x', content: 'x' }] }, 'files.1.path'],
    ['a path with a NUL', { files: [{ path: 'a\0', content: 'x' }] }, 'files.0.path'],
    ['a repeated path', { files: [page, page] }, 'files.1.path'],
    ['a file and a directory', { files: [page, { path: 'index.html/a', content: 'x' }] }, 'files.0.path'],
    ['a wrong size', { files: [{ ...page, size: 6 }] }, 'files.0.size'],
    ['a negative size', { files: [{ ...byDigest('a', 'x'), size: -1 }] }, 'files.0.size'],
    ['a size that is not an integer', { files: [{ ...byDigest('a', 'x'), size: 1.5 }] }, 'files.0.size'],
    ['a wrong digest', { files: [{ ...page, sha256: '0'.repeat(64) }] }, 'files.0.sha256'],
    ['a digest in capitals', { files: [{ path: 'a', size: 1, sha256: 'A'.repeat(64) }] }, 'files.0.sha256'],
    [
      'a digest that is too short',
      { files: [{ path: 'a', size: 1, sha256: 'a'.repeat(63) }] },
      'files.0.sha256',
    ],
    ['65 keys of meta', { meta: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, ''])) }, 'meta'],
    ['a value of meta of 1,001 characters', { meta: { a: 'x'.repeat(1_001) } }, 'meta.a'],
    ['a value of meta that is not text', { meta: { a: 1 } }, 'meta.a'],
    ['an empty key of meta', { meta: { '': 'x' } }, 'meta.'],
    ['a key of meta of 101 characters', { meta: { ['k'.repeat(101)]: 'x' } }, `meta.${'k'.repeat(101)}`],
    ['a NUL in meta', { meta: { a: 'x\0' } }, 'meta.a'],
    ['an unknown build setting', { build: { command: 'make' } }, 'build.command'],
  ])('400 that names the place: %s', async (_, fields, path) => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const { status, body } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [page],
      ...fields,
    })
    expect(status).toBe(400)
    expect(body.reason).toBe('invalid_input')
    expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
    // A file is named by its path: nobody counts files.
    expect(body.message).toMatch(/^(?:"|[\w.]+:? )/)
    if (!path.startsWith('files.')) expect(body.message).toContain(path)
    else if (!path.endsWith('.path')) expect(body.message).toMatch(/^"(?:index\.html|a)"/)
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it('accepts 64 keys of meta with 1,000 characters each', async () => {
    const meta = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`key ${i}`, 'ü'.repeat(1_000)]))
    expect((await deploy(await newTeam(node), { meta })).meta).toEqual(meta)
  })
})

describe('GET /v1/deployments/{deployment}', () => {
  it.each([newId('deployment', 1), newId('project', 1), 'web', 'x'])(
    '404 deployment_not_found for %s',
    async (id) => {
      const { status, body } = await (await newTeam(node)).owner('GET', `/v1/deployments/${id}`)
      expect(status).toBe(404)
      expect(body.reason).toBe('deployment_not_found')
    },
  )
})

describe('a project with a build command', () => {
  const build = { build_command: 'npm run build', output_directory: 'out' }

  it('accepts built files when the deployment sets null, and keeps the settings used', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', { build })
    const { status, body } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [page],
      build: { build_command: null },
    })
    expect(status).toBe(200)
    expect(body.build).toMatchObject({ build_command: null, output_directory: 'out' })
    await team.owner('PUT', '/v1/projects/web', { build: { output_directory: 'other' } })
    expect((await team.owner('GET', `/v1/deployments/${body.id}`)).body.build.output_directory).toBe('out')
  })
})
