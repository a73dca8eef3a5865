/** A directory is linked to its project: `svc.json`, and the commands that write and read it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc } from './svc.ts'

let node: TestNode
let team: TestTeam
let work: string
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await as(team.ownerKey)
})

async function as(key: string): Promise<void> {
  const { home, svc: run } = await newHome()
  work = join(home, 'work')
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: key, PATH: String(process.env.PATH) }
  svc = (args, options = {}) => run(args, { ...options, env: { ...env, ...options.env } })
}

async function write(files: Record<string, string | object>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(work, path, '..'), { recursive: true })
    await writeFile(join(work, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const link = async () => JSON.parse(await readFile(join(work, 'svc.json'), 'utf8'))

async function deployed(...args: string[]) {
  const { code, stdout, stderr } = await svc(['deploy', '--json', ...args])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return JSON.parse(stdout)
}

describe('svc deploy of a missing directory', () => {
  it.each<[string, string[], object | undefined]>([
    ['that is named, without a project', ['gone', '--prod'], undefined],
    ['that is named, for a new project', ['gone', '--project', 'new'], undefined],
    ['that svc.json names', [], { project: 'new', directory: 'gone' }],
  ])('%s, creates nothing', async (_what, args, file) => {
    await write(file ? { 'svc.json': file } : { 'other.txt': '' })
    const { code, stderr } = await svc(['deploy', ...args])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^svc: There is no directory .*gone\.\n$/),
    })
    expect((await team.owner('GET', '/v1/projects/new')).status).toBe(404)
  })
})

describe('the first svc deploy', () => {
  it('creates the project that --project names, and writes svc.json', async () => {
    await write({ 'dist/index.html': 'hello' })
    const { code, stdout, stderr } = await svc(['deploy', 'dist', '--project', 'shop', '--prod'])
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Created project shop.'),
    })
    expect(stderr).toContain('Wrote svc.json: from now on this directory is deployed to shop.')
    expect(await link()).toEqual({
      $schema: `${node.apiUrl}/svc.schema.json`,
      project: 'shop',
      directory: 'dist',
    })
    expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'hello' })
  })

  it('for production chooses no project or directory by itself, even if there is only one', async () => {
    await team.owner('PUT', '/v1/projects/web')
    await write({ 'index.html': 'unrelated' })
    const { code, stdout, stderr } = await svc(['deploy', '--prod'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--project <name>')
    const { body } = await team.owner('GET', '/v1/deployments')
    expect(body.data).toEqual([])
  })

  it('does not change the working directory when it deploys another one', async () => {
    await write({ 'other/index.html': 'x', 'here/file': 'y' })
    const { code } = await svc(['deploy', '../other', '--project', 'web'], { cwd: join(work, 'here') })
    expect(code).toBe(0)
    await expect(readFile(join(work, 'here/svc.json'))).rejects.toThrow('ENOENT')
  })
})

describe('svc.json', () => {
  it('sets project and directory for every folder below, and is not deployed', async () => {
    await write({ 'svc.json': { project: 'web' }, 'index.html': 'top', 'deep/down/a.txt': 'a' })
    const { code, stdout } = await svc(['deploy', '--prod'], { cwd: join(work, 'deep/down') })
    expect(code).toBe(0)
    expect(await visit(stdout.trim(), '/')).toMatchObject({ body: 'top' })
    expect(await visit(stdout.trim(), '/svc.json')).toMatchObject({ status: 404 })
  })

  it('is found in the directory that is deployed', async () => {
    await write({
      'site/svc.json': { project: 'web', directory: 'public' },
      'site/public/index.html': 'inner',
    })
    const { url, project } = await deployed('site')
    expect(project).toBe('web')
    expect(await visit(url, '/')).toMatchObject({ body: 'inner' })
    await expect(link()).rejects.toThrow('ENOENT')
  })

  it('updates the project’s settings before each deployment, if they differ', async () => {
    await write({ 'svc.json': { project: 'web', spa: true, preview_ttl_days: 9 }, 'index.html': 'x' })
    await deployed()
    const { body } = await team.owner('GET', '/v1/projects/web')
    expect(body).toMatchObject({ spa: true, preview_ttl_days: 9 })
    await write({ 'svc.json': { project: 'web', spa: null, preview_ttl_days: 9 } })
    const { stderr } = await svc(['deploy'])
    expect(stderr).toContain('Updated web: spa.')
    expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({
      spa: false,
      preview_ttl_days: 9,
    })
    expect((await svc(['deploy'])).stderr).not.toContain('Updated')
  })

  it('with settings for owners is refused to a member before anything is sent', async () => {
    await team.owner('PUT', '/v1/projects/web')
    const { body } = await team.owner('POST', '/v1/apikeys', { name: 'member', role: 'member' })
    await as(body.token)
    await write({ 'svc.json': { project: 'web', auto_promote: false }, 'index.html': 'x' })
    const { code, stderr } = await svc(['deploy'])
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/auto_promote/) })
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it('with an invalid setting deploys nothing, and the error names the field', async () => {
    await write({ 'svc.json': { project: 'web', preview_ttl_days: 0 }, 'index.html': 'x' })
    const { code, stderr } = await svc(['deploy'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('preview_ttl_days') })
  })

  it('for another server is refused, and no key is sent there', async () => {
    await write({ 'svc.json': { project: 'web', server: 'http://127.0.0.1:9' }, 'index.html': 'x' })
    const { code, stderr } = await svc(['deploy'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is for http://127.0.0.1:9'),
    })
    const unselected = await svc(['deploy'], { env: { SVC_URL: '' } })
    expect(unselected).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is for http://127.0.0.1:9'),
    })
    const withoutKey = await svc(['deploy'], { env: { SVC_URL: '', SVC_TOKEN: '' } })
    expect(withoutKey).toMatchObject({ code: 3, stderr: expect.stringContaining('http://127.0.0.1:9') })
  })

  it('is overridden by --project, which its settings don’t apply to', async () => {
    await write({ 'svc.json': { project: 'web', spa: true }, 'index.html': 'x' })
    await deployed('--project', 'other')
    expect((await team.owner('GET', '/v1/projects/other')).body).toMatchObject({ spa: false })
    expect(await link()).toEqual({ project: 'web', spa: true })
  })

  it('without a project has settings for the one that --project names, and stays as it is', async () => {
    const file = { spa: true, directory: 'public' }
    await write({ 'svc.json': file, 'public/index.html': 'x' })
    const { url } = await deployed('--project', 'web')
    expect(await visit(url, '/any/path')).toMatchObject({ body: 'x' })
    expect(await link()).toEqual(file)
    const { code, stderr } = await svc(['deploy', '--prod'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--project') })
    expect(await svc(['env', 'set', 'KEY=1', '--project', 'web'])).toMatchObject({ code: 0 })
    expect(await svc(['deployments'])).toMatchObject({ code: 0, stdout: expect.stringContaining('web') })
    const unlinked = await svc(['unlink', '--yes'])
    expect(unlinked).toMatchObject({ code: 2, stderr: expect.stringContaining('names no project') })
    expect(await link()).toEqual(file)
    expect(await svc(['link', 'web'])).toMatchObject({ code: 0 })
    expect(await link()).toMatchObject({ project: 'web', spa: true })
  })

  it('is the default of other commands about one project', async () => {
    await team.owner('PUT', '/v1/projects/one')
    await team.owner('PUT', '/v1/projects/two')
    await write({ 'svc.json': { project: 'two' } })
    expect(await svc(['env', 'set', 'KEY=1'])).toMatchObject({ code: 0 })
    expect((await team.owner('GET', '/v1/projects/two')).body.env).toMatchObject([{ key: 'KEY' }])
    expect((await svc(['open'])).stdout).toMatch(/\/\/two[.-]/)
  })

  it('has a JSON Schema at the server', async () => {
    const response = await fetch(`${node.apiUrl}/svc.schema.json`)
    expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8')
    expect(await response.json()).toMatchObject({
      $id: `${node.apiUrl}/svc.schema.json`,
      properties: { directory: { type: 'string' }, spa: {} },
      additionalProperties: false,
    })
  })
})

describe('svc link', () => {
  it('writes svc.json for an existing project', async () => {
    await team.owner('PUT', '/v1/projects/web')
    expect(await svc(['link', 'web', '--directory', 'dist'])).toMatchObject({
      code: 0,
      stdout: 'Linked to web in svc.json.\n',
    })
    expect(await link()).toMatchObject({ project: 'web', directory: 'dist' })
  })

  it('explains how to create a missing project', async () => {
    expect(await svc(['link', 'gone'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('svc projects add gone'),
    })
    expect(await svc(['link'])).toMatchObject({ code: 2 })
  })

  it('is undone by svc unlink, which prompts before it removes settings', async () => {
    expect(await svc(['unlink'])).toMatchObject({ code: 2 })
    await write({ 'svc.json': { project: 'web' } })
    expect(await svc(['unlink'])).toMatchObject({ code: 0, stdout: 'Unlinked from web.\n' })
    await expect(link()).rejects.toThrow('ENOENT')
    await write({ 'svc.json': { project: 'web', spa: true } })
    expect(await svc(['unlink'])).toMatchObject({ code: 2 })
    expect(await link()).toMatchObject({ spa: true })
    expect(await svc(['unlink', '--yes'])).toMatchObject({ code: 0 })
  })
})
