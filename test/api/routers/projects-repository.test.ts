/** The repository at a forge that a project is connected to, as `PUT /v1/projects/{project}` sets it. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRepositorySecret } from '../../../src/platform/projects/repository.ts'
import { projectRepositories } from '../../../src/stores/db/schema/project-repositories.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

const url = 'https://github.com/acme/web'
const secret = 'whsec_0123456789abcdef'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const put = (git: unknown) => team.owner('PUT', '/v1/projects/web', { git })
const gitOf = async (git: unknown) => (await put(git)).body.git

async function stored() {
  const { id } = (await team.owner('GET', '/v1/projects/web')).body
  const { db } = node.installation.store
  const [row] = await db.select().from(projectRepositories).where(eq(projectRepositories.projectId, id))
  return row
}

function opened(kind: 'token' | 'secret', row: NonNullable<Awaited<ReturnType<typeof stored>>>) {
  const sealed = kind === 'token' ? row.tokenSealed : row.secretSealed
  return sealed && openRepositorySecret(node.installation.keys.env, { ...row, kind }, sealed)
}

const issue = (path: string, message = expect.any(String)) => ({
  status: 400,
  body: { reason: 'invalid_input', issues: [{ path, message }] },
})

describe('a repository', () => {
  it('is connected by its address, with the kind of forge that its host is known for', async () => {
    const { body: before } = await put({ production_branch: 'trunk' })
    expect(before.git).toEqual({
      production_branch: 'trunk',
      production_branch_by: 'owner',
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
    })
    const { body } = await put({ url: `${url}.git/`, token: 'ghp_1', secret })
    expect(body.git).toEqual({
      ...before.git,
      provider: 'github',
      url,
      token_set: true,
      secret_set: true,
      hook_url: `${node.apiUrl}/hooks/git/${body.id}`,
      connected_by: team.ownerId,
      connected_by_name: 'owner',
      connected_by_role: 'owner',
    })
    expect((await team.owner('GET', '/v1/projects/web')).body.git).toEqual(body.git)
    expect((await team.owner('GET', '/v1/projects')).body.data[0].git).toEqual(body.git)
  })

  it.each([
    ['https://gitlab.com/acme/group/web', 'gitlab'],
    ['https://codeberg.org/acme/web', 'gitea'],
    ['https://GitHub.com/acme/web', 'github'],
  ])('at %s is of %s', async (address, provider) => {
    expect(await gitOf({ url: address })).toMatchObject({ provider })
  })

  it('of another host needs the kind of forge', async () => {
    const at = { url: 'https://git.example.com/acme/web' }
    expect(await put(at)).toMatchObject(issue('git.provider'))
    expect(await gitOf({ ...at, provider: 'gitea' })).toMatchObject({ ...at, provider: 'gitea' })
  })

  it.each([
    'http://github.com/acme/web',
    'git@github.com:acme/web.git',
    'ssh://git@github.com/acme/web',
    'file:///etc/passwd',
    'ext::sh -c id',
    'https://user@github.com/acme/web',
    'https://user:secret@github.com/acme/web',
    'https://github.com/acme/web?x=1',
    'https://github.com/acme/web#x',
    'https://github.com/acme',
    'https://github.com/',
    'https:github.com/acme/web',
    'https://github.com/acme/we b',
    'https://github.com\\@127.0.0.1/acme/web',
    '--upload-pack=id',
    '',
  ])('has no address like %s', async (address) => {
    expect(await put({ url: address })).toMatchObject(issue('git.url'))
  })

  it('has secrets that no response has, encrypted for this project and address', async () => {
    const { body } = await put({ url, token: 'ghp_0123', secret })
    expect(JSON.stringify(body)).not.toMatch(/ghp_0123|whsec_/)
    const row = await stored()
    if (!row) throw new Error('Nothing was stored.')
    expect(JSON.stringify(row)).not.toMatch(/ghp_0123|whsec_/)
    expect([opened('token', row), opened('secret', row)]).toEqual(['ghp_0123', secret])
    expect(() => opened('token', { ...row, url: 'https://evil.example/acme/web' })).toThrow()
    expect(() => opened('token', { ...row, projectId: 'prj_other' })).toThrow()
    expect(() => opened('token', { ...row, tokenSealed: row.secretSealed })).toThrow()
  })

  it('at another address has neither the token nor the secret of the one before', async () => {
    await put({ url, token: 'ghp_1', secret })
    const moved = await gitOf({ url: 'https://github.com/evil/web' })
    expect(moved).toMatchObject({ token_set: false, secret_set: false })
    const back = await gitOf({ url })
    expect(back).toMatchObject({ token_set: false, secret_set: false })
    expect(await gitOf({ url: 'https://github.com/acme/api', token: 'ghp_2' })).toMatchObject({
      token_set: true,
      secret_set: false,
    })
  })

  it('takes pull requests of forks once an owner says so, and at another address no more', async () => {
    expect(await gitOf({ url })).toMatchObject({ forks: false })
    expect(await gitOf({ forks: 'approve' })).toMatchObject({ forks: 'approve' })
    expect(await gitOf({ root_directory: 'apps/web' })).toMatchObject({ forks: 'approve' })
    expect(await gitOf({ url: 'https://github.com/evil/web' })).toMatchObject({ forks: false })
    expect(await gitOf({ url, forks: 'approve' })).toMatchObject({ forks: 'approve' })
    expect(await gitOf({ forks: null })).toMatchObject({ forks: false })
    expect(await put({ forks: true })).toMatchObject({ status: 400 })
    const { api } = await addMember(node, team)
    const asMember = await api('PUT', '/v1/projects/web', { git: { forks: 'approve' } })
    expect(asMember).toMatchObject({ status: 403, body: { reason: 'role_required' } })
  })

  it('keeps what is left out, and takes null for the default', async () => {
    const watch = ['packages/ui', 'lock.json']
    const settings = { root_directory: 'apps/web', watch, skip_unchanged: false, close_days: 30 }
    await put({ url, token: 'ghp_1', secret, ...settings })
    const kept = { url, provider: 'github', token_set: true, secret_set: true, root_directory: 'apps/web' }
    expect(await gitOf({ url, production_branch: 'next' })).toMatchObject({ ...kept, ...settings })
    expect(await gitOf({ watch: null, skip_unchanged: null, close_days: null, token: null })).toMatchObject({
      ...kept,
      watch: [],
      token_set: false,
      skip_unchanged: true,
      close_days: null,
    })
    expect(await gitOf({ root_directory: null, secret: null })).toMatchObject({
      root_directory: null,
      secret_set: false,
    })
  })

  it('is needed for the other fields', async () => {
    expect(await put({ token: 'ghp_1' })).toMatchObject(issue('git.url'))
    expect(await put({ secret: 'short', url })).toMatchObject(issue('git.secret'))
    expect(await put({ url, root_directory: '../x' })).toMatchObject(issue('git.root_directory'))
    for (const close_days of [-1, 366, 1.5])
      expect(await put({ url, close_days })).toMatchObject(issue('git.close_days'))
    for (const [path, problem] of [
      ['', '"" must not be empty'],
      ['/etc', '"/etc" must be relative'],
      ['../ui', '"../ui" must not contain a .. segment'],
      ['.', '"." must not contain a . segment'],
      ['packages/ui/', '"packages/ui/" must not end with a slash'],
      ['packages/*', '"packages/*" must be a path, not a pattern'],
    ]) {
      const message = expect.stringContaining(problem ?? '')
      const { body } = await put({ url, watch: ['packages/ui', path] })
      expect(body).toMatchObject({ issues: [{ path: 'git.watch.1', message }] })
    }
    const many = Array.from({ length: 21 }, (_, at) => `packages/${at}`)
    expect(await put({ url, watch: many })).toMatchObject(issue('git.watch'))
    expect((await gitOf({ url, watch: many.slice(1) })).watch).toHaveLength(20)
    expect(await put({ url, branch: 'main' })).toMatchObject({ status: 400 })
  })

  it.each([[{ url: null }], [null]])('is disconnected by %o, with its secrets', async (git) => {
    await put({ url, token: 'ghp_1', secret })
    expect(await gitOf(git)).toMatchObject({ url: null, provider: null, hook_url: null, token_set: false })
    expect(await stored()).toBeUndefined()
  })

  it('is for owners', async () => {
    await put({ url, secret })
    const { api } = await addMember(node, team)
    const refused = await api('PUT', '/v1/projects/web', { git: { url: 'https://github.com/evil/web' } })
    expect(refused).toMatchObject({ status: 403, body: { reason: 'role_required' } })
    expect((await api('GET', '/v1/projects/web')).body.git).toMatchObject({ url })
  })

  it('that is put again changes nothing, and makes no event', async () => {
    const full = { url, token: 'ghp_1', secret, root_directory: 'apps/web', watch: ['packages/ui'] }
    await put(full)
    const before = await stored()
    const { body } = await put(full)
    expect(await stored()).toEqual(before)
    const { data } = (await team.owner('GET', '/v1/logs?kind=audit')).body
    expect(data).toHaveLength(1)
    await put({ ...full, token: 'ghp_2' })
    expect((await stored())?.tokenSealed).not.toBe(before?.tokenSealed)
    expect((await team.owner('GET', '/v1/projects/web')).body.updated_ms).toBeGreaterThanOrEqual(
      body.updated_ms,
    )
  })

  it('goes with its project', async () => {
    const { body } = await put({ url, token: 'ghp_1', secret })
    await team.owner('DELETE', '/v1/projects/web')
    const { db } = node.installation.store
    const rows = await db.select().from(projectRepositories).where(eq(projectRepositories.projectId, body.id))
    expect(rows).toEqual([])
  })
})
