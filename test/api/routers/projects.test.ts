import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { eachOf } from '../../../src/platform/projects/field.ts'
import { fields } from '../../../src/platform/projects/fields.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const defaults = {
  ...eachOf(fields, 'initial'),
  build: { install_command: null, build_command: null, output_directory: 'dist', root_directory: '.' },
  env: [],
  protection: 'none',
  bypass_set: false,
  password_set: false,
  auto_promote: true,
  preview_ttl_days: null,
  spa: false,
  hsts: false,
  branch_addresses: true,
  start: null,
  runtime: {
    memory_bytes: 512 * 1024 * 1024,
    health_path: null,
    idle_s: 900,
    min: 0,
    network: 'none',
    ports: null,
    release: null,
  },
  git: {
    production_branch: null,
    production_branch_by: null,
    provider: null,
    url: null,
    root_directory: null,
    watch: [],
    skip_unchanged: true,
    close_days: null,
    forks: false,
    token_set: false,
    secret_set: false,
    hook_url: null,
    connected_by: null,
    connected_by_name: null,
    connected_by_role: null,
  },
  production_deployment: null,
  domains: [],
  branches: [],
}

const everything = {
  build: {
    install_command: 'npm ci',
    build_command: 'npm run build',
    output_directory: 'out',
    root_directory: 'app',
  },
  protection: 'preview',
  auto_promote: false,
  preview_ttl_days: 7,
  spa: true,
  note: 'The shop, until summer',
}

describe('PUT /v1/projects/{project}', () => {
  it('creates a project with its defaults, without a body too', async () => {
    const team = await newTeam(node)
    const beforeMs = Date.now()
    const { status, body } = await team.owner('PUT', '/v1/projects/web')
    expect(status).toBe(200)
    const { id, production_url, created_ms, updated_ms, ...rest } = body
    expect(rest).toEqual({ name: 'web', ...defaults })
    expect(id).toMatch(/^prj_[0-9a-f]{32}$/)
    expect(production_url).toMatch(/^http:\/\/web(-[0-9a-f]{6})?\.localhost:\d+$/)
    expect(created_ms).toBeGreaterThanOrEqual(beforeMs)
    expect(updated_ms).toBe(created_ms)
    expect((await team.owner('GET', '/v1/projects/web')).body).toEqual(body)
    expect((await team.owner('GET', `/v1/projects/${id}`)).body).toEqual(body)
  })

  it('creates one with all the given fields', async () => {
    const team = await newTeam(node)
    const { body } = await team.owner('PUT', '/v1/projects/web', everything)
    expect(body).toMatchObject({ name: 'web', ...everything })
  })

  it('may be repeated: the same project, the same response', async () => {
    const team = await newTeam(node)
    const { body: first } = await team.owner('PUT', '/v1/projects/web', everything)
    const { status, body: again } = await team.owner('PUT', '/v1/projects/web', everything)
    expect(status).toBe(200)
    expect(again).toEqual(first)
  })

  it('keeps omitted fields', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', everything)
    const { body } = await team.owner('PUT', '/v1/projects/web', {
      spa: false,
      build: { output_directory: 'public' },
    })
    expect(body).toMatchObject({
      ...everything,
      spa: false,
      build: { ...everything.build, output_directory: 'public' },
    })
    expect((await team.owner('PUT', '/v1/projects/web', {})).body).toMatchObject({
      protection: 'preview',
      spa: false,
    })
  })

  it('resets with null: each field goes back to its default', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', { ...everything, env: [{ key: 'A', value: '1' }] })
    const cleared = Object.fromEntries(
      [...Object.keys(everything), 'env', 'bypass_secret', 'password'].map((key) => [key, null]),
    )
    const { status, body } = await team.owner('PUT', '/v1/projects/web', cleared)
    expect(status).toBe(200)
    expect(body).toMatchObject(defaults)
  })

  it('resets one build setting with null and keeps the others', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', everything)
    const { body } = await team.owner('PUT', '/v1/projects/web', {
      build: { build_command: null, output_directory: null },
    })
    expect(body.build).toEqual({ ...everything.build, build_command: null, output_directory: 'dist' })
  })

  it('configures an existing project by id', async () => {
    const team = await newTeam(node)
    const { body: made } = await team.owner('PUT', '/v1/projects/web')
    const { status, body } = await team.owner('PUT', `/v1/projects/${made.id}`, { spa: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: made.id, name: 'web', spa: true })
  })

  it('404 project_not_found by an unknown id, and nothing is created', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', `/v1/projects/${newId('project', Date.now())}`)
    expect(status).toBe(404)
    expect(body.reason).toBe('project_not_found')
    expect((await team.owner('GET', '/v1/projects')).body.data).toEqual([])
  })

  it('creates one project from eight concurrent PUTs of the same new name, which all succeed', async () => {
    const team = await newTeam(node)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => team.owner('PUT', '/v1/projects/web', { preview_ttl_days: i + 1 })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.production_url)).size).toBe(1)
    expect((await team.owner('GET', '/v1/projects')).body.data).toHaveLength(1)
  })

  it('loses none of several concurrent changes', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const fields = [
      { install_command: 'npm ci' },
      { build_command: 'make' },
      { output_directory: 'out' },
      { root_directory: 'app' },
    ]
    await Promise.all(fields.map((build) => team.owner('PUT', '/v1/projects/web', { build })))
    const { body } = await team.owner('GET', '/v1/projects/web')
    expect(body.build).toEqual(Object.assign({}, ...fields))
  })

  it.each([
    ['an unknown field', { colour: 'blue' }, 'colour'],
    ['an unknown build setting', { build: { output: 'dist' } }, 'build.output'],
    ['an id of its own', { id: newId('project', 1) }, 'id'],
    ['a team', { team_id: newId('team', 1) }, 'team_id'],
    ['a creation time', { created_ms: 0 }, 'created_ms'],
    ['a production host', { production_host: 'www' }, 'production_host'],
    ['the name of the path again', { project: 'web' }, 'project'],
    ['another protection', { protection: 'some' }, 'protection'],
    ['no days', { preview_ttl_days: 0 }, 'preview_ttl_days'],
    ['half a day', { preview_ttl_days: 0.5 }, 'preview_ttl_days'],
    ['too many days', { preview_ttl_days: 3_651 }, 'preview_ttl_days'],
    ['text for a boolean', { spa: 'true' }, 'spa'],
    ['an empty command', { build: { build_command: '' } }, 'build.build_command'],
    ['a command of 2,001 characters', { build: { build_command: 'x'.repeat(2_001) } }, 'build.build_command'],
    ['a parent directory', { build: { root_directory: '../other' } }, 'build.root_directory'],
    ['an absolute directory', { build: { output_directory: '/etc' } }, 'build.output_directory'],
    ['a NUL in a directory', { build: { output_directory: 'a\0b' } }, 'build.output_directory'],
  ])('400 that names the field, and nothing is created: %s', async (_, body, path) => {
    const team = await newTeam(node)
    const refused = await team.owner('PUT', '/v1/projects/web', body)
    expect(refused.status).toBe(400)
    expect(refused.body.reason).toBe('invalid_input')
    expect(refused.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
    expect((await team.owner('GET', '/v1/projects/web')).status).toBe(404)
  })
})

describe('GET /v1/projects/{project}', () => {
  it.each([
    ['a name', 'nothing'],
    ['an id', newId('project', 1)],
    ['an invalid name', 'No%20Name'],
  ])('404 project_not_found for %s that the team does not have', async (_, reference) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('GET', `/v1/projects/${reference}`)
    expect(status).toBe(404)
    expect(body.reason).toBe('project_not_found')
  })
})
