/** `git push` straight to the platform, with real git. */
import { randomBytes } from 'node:crypto'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../../src/api/client/index.ts'
import { visit } from '../../../platform/deployments/steps.ts'
import { mint } from '../../../support/enforcing-node.ts'
import { until } from '../../../support/eventually.ts'
import { limitMember } from '../../../support/limits.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../../support/node.ts'
import { newSession } from '../../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree, type WorkTree, workTreeIn } from '../../../support/work-tree.ts'

let node: TestNode
let team: TestTeam
let tree: WorkTree

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

/** The address of a project, with a password. */
function remoteOf(project: string, { slug = team.slug, password = team.ownerKey } = {}): string {
  const url = new URL(`/git/${slug}/${project}.git`, node.apiUrl)
  url.username = 'anybody'
  url.password = password
  return url.href
}

async function newSite(files: Record<string, string | Buffer> = { 'index.html': 'first' }) {
  tree = await newWorkTree()
  const commit = await tree.commit(files, 'The first page')
  const project = unique('site')
  return { tree, commit, project, remote: remoteOf(project) }
}

const deploymentsOf = async (project: string) =>
  (await team.owner('GET', `/v1/deployments?project=${project}`)).body.data

describe('a first push', () => {
  it('of main makes the project, and is live', async () => {
    const { tree, commit, project, remote } = await newSite({ 'index.html': 'first', 'a/b.txt': 'deep' })
    const pushed = await tree.git('push', remote, 'main')
    expect(pushed.said).toContain(`remote: Created project ${project}.`)
    const { production_url } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect(pushed.said).toContain(`remote: Live: ${production_url}`)
    expect(pushed.said).toContain('[new branch]      main -> main')
    expect((await visit(production_url)).body).toBe('first')
    expect((await visit(production_url, '/a/b.txt')).body).toBe('deep')
    expect(await deploymentsOf(project)).toMatchObject([
      {
        target: 'production',
        live: true,
        files: 2,
        source: { kind: 'git', name: 'owner' },
        meta: { branch: 'main', commit, message: 'The first page', author: 'Ada' },
      },
    ])
  })

  it('of another branch decides where there is no main', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('branch', '--move', 'trunk')
    expect((await tree.git('push', remote, 'trunk')).said).toContain('remote: Live: ')
    await tree.git('branch', 'main')
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Preview: ')
    expect(await deploymentsOf(project)).toMatchObject([
      { meta: { branch: 'main' }, target: 'preview' },
      { meta: { branch: 'trunk' }, target: 'production' },
    ])
  })

  it('puts the packs of its repository together where they are many', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
    const place = join(node.settings.SVC_DATA_DIR, 'git', team.id, `${id}.git`, 'objects', 'pack')
    const packs = async () => (await readdir(place)).filter((name) => name.endsWith('.pack'))
    const [pack = ''] = await packs()
    for (let each = 0; each < 50; each += 1) {
      const name = join(place, `pack-${randomBytes(20).toString('hex')}`)
      for (const end of ['.pack', '.idx'])
        await copyFile(join(place, pack.replace('.pack', end)), `${name}${end}`)
    }
    await tree.commit({ 'index.html': 'second' })
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
    await until(async () => (await packs()).length === 1)
    await tree.commit({ 'index.html': 'third' })
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
  })

  it('an owner chooses another production branch later, or none', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    const at = `/v1/projects/${project}`
    expect((await team.owner('GET', at)).body.git).toMatchObject({ production_branch: 'main' })
    const member = await addMember(node, team)
    const byMember = await member.api('PUT', at, { git: { production_branch: 'trunk' } })
    expect(byMember).toMatchObject({ status: 403, body: { reason: 'role_required' } })
    await team.owner('PUT', at, { git: { production_branch: 'trunk' } })
    await tree.git('branch', 'trunk')
    await tree.commit({ 'index.html': 'second' })
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Preview: ')
    expect((await tree.git('push', remote, 'trunk')).said).toContain('remote: Live: ')
    expect((await team.owner('PUT', at, { git: null })).body.git).toMatchObject({ production_branch: null })
  })

  it('of another branch says which goes to production, and what changes that', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.git('branch', "it's")
    expect((await tree.git('push', remote, "it's")).said).toContain(
      'remote: A preview, since main is the production branch. ' +
        `An owner changes that: svc projects set ${project} --production-branch 'it'\\''s'`,
    )
    const wanted = await tree.git('push', '-o', 'target=preview', remote, "it's~0:refs/heads/other")
    expect(wanted.said).not.toContain('An owner changes that')
  })

  it('that deletes the production branch unsettles it, until main or master is pushed', async () => {
    const { tree, project, remote } = await newSite()
    const settled = async () => (await team.owner('GET', `/v1/projects/${project}`)).body.git
    await tree.git('branch', '--move', 'trunk')
    await tree.git('push', remote, 'trunk')
    expect(await settled()).toMatchObject({ production_branch: 'trunk', production_branch_by: 'push' })
    await tree.git('branch', 'next')
    await tree.git('branch', 'master')
    await tree.git('push', remote, 'next')
    expect((await tree.git('push', remote, ':trunk')).said).toContain('[deleted]')
    expect(await settled()).toMatchObject({ production_branch: null, production_branch_by: null })
    const { production_url } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect((await visit(production_url)).body).toBe('first')
    await tree.git('branch', 'later')
    expect((await tree.git('push', remote, 'later')).said).toContain(
      'remote: A preview, since the production branch was deleted, and no other is set.',
    )
    expect((await tree.git('push', remote, 'master')).said).toContain('remote: Live: ')
    expect(await settled()).toMatchObject({ production_branch: 'master', production_branch_by: 'push' })
  })

  it('that is refused, or to production by an option, decides nothing', async () => {
    const { tree, remote } = await newSite()
    await tree.git('switch', '--quiet', '--create', 'topic')
    await tree.commit({ _redirects: '/a' })
    expect((await tree.git('push', remote, 'topic')).ok).toBe(false)
    await tree.commit({ _redirects: undefined })
    const byOption = await tree.git('push', '-o', 'target=production', remote, 'topic')
    expect(byOption.said).toContain('remote: Live: ')
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
    await tree.commit({ 'index.html': 'later' })
    expect((await tree.git('push', remote, 'topic')).said).toContain('remote: Preview: ')
  })

  it('of several branches deploys each, main to production', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('branch', 'a/topic')
    const pushed = await tree.git('push', remote, 'a/topic', 'main')
    expect(pushed.said).toMatch(/^remote: a\/topic: Preview: /m)
    expect(pushed.said).toMatch(/^remote: main: Live: /m)
    expect(await deploymentsOf(project)).toHaveLength(2)
  })
})

describe('a later push', () => {
  it('sends what is new alone, and replaces what is live', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.commit({ 'index.html': 'second', 'new.txt': 'new' }, 'The second page')
    const pushed = await tree.git('push', remote, 'main')
    expect(pushed.said).toMatch(/[0-9a-f]{7}\.\.[0-9a-f]{7} {2}main -> main/)
    const { production_url } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect((await visit(production_url)).body).toBe('second')
    expect((await tree.git('push', remote, 'main')).said).toContain('Everything up-to-date')
  })

  it('may be forced', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.git('commit', '--amend', '--quiet', '--message', 'Another history')
    expect((await tree.git('push', remote, 'main')).said).toContain('rejected')
    expect((await tree.git('push', '--force', remote, 'main')).said).toContain('(forced update)')
    expect(await deploymentsOf(project)).toMatchObject([{ meta: { message: 'Another history' } }, {}])
  })

  it('of another branch is a preview, and of the production branch one if that is wanted', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.git('switch', '--quiet', '--create', 'topic')
    await tree.commit({ 'index.html': 'topic' })
    expect((await tree.git('push', remote, 'topic')).said).toContain('remote: Preview: ')
    await tree.git('switch', '--quiet', 'main')
    await tree.commit({ 'index.html': 'third' })
    expect((await tree.git('push', '-o', 'target=preview', remote, 'main')).said).toContain(
      'remote: Preview: ',
    )
    const { production_url, branches } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect((await visit(production_url)).body).toBe('first')
    const address = branches.find(({ name }: { name: string }) => name === 'main')
    expect((await visit(address.url)).body).toBe('first')
  })

  it('has no control characters of its commit in the metadata', async () => {
    const { tree, project, remote } = await newSite()
    await tree.commit({ 'index.html': 'other' })
    await tree.git(
      'commit',
      '--amend',
      '--quiet',
      '--reset-author',
      '--message',
      'fork \u001b[31m evil\u0007',
    )
    await tree.git('push', remote, 'main')
    const [{ meta }] = await deploymentsOf(project)
    expect(meta.message).toBe('fork  evil␇')
  })

  it('says the address of the branch, which moves with it', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.git('switch', '--quiet', '--create', 'feature/topic')
    await tree.commit({ 'index.html': 'second' })
    const { said } = await tree.git('push', remote, 'feature/topic')
    const [, address = ''] = /^remote: Also at (\S+)/m.exec(said) ?? []
    expect((await visit(address)).body).toBe('second')
    await tree.commit({ 'index.html': 'third' })
    expect((await tree.git('push', remote, 'feature/topic')).said).toContain(`remote: Also at ${address}`)
    expect((await visit(address)).body).toBe('third')
    const { branches } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect(branches).toMatchObject([{ name: 'feature/topic', url: address }, { name: 'main' }])
  })

  it('that deletes a branch keeps its deployments, and takes its address away', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('branch', 'topic')
    const { said } = await tree.git('push', remote, 'main', 'topic')
    const [, address = ''] = /^remote: topic: Also at (\S+)/m.exec(said) ?? []
    expect((await visit(address)).status).toBe(200)
    expect((await tree.git('push', remote, ':topic')).said).toContain('[deleted]         topic')
    expect(await deploymentsOf(project)).toHaveLength(2)
    expect((await visit(address)).status).toBe(404)
    expect((await tree.git('push', remote, 'topic')).said).toContain('[new branch]      topic -> topic')
    expect((await visit(address)).status).toBe(200)
  })

  it('of a tag deploys nothing, and says so', async () => {
    const { tree, project, remote } = await newSite()
    await tree.git('push', remote, 'main')
    await tree.git('tag', 'v1')
    const pushed = await tree.git('push', remote, 'v1')
    expect({ ok: pushed.ok, said: pushed.said }).toMatchObject({
      ok: true,
      said: expect.stringContaining('remote: refs/tags/v1 is not deployed: branches are.'),
    })
    expect(await deploymentsOf(project)).toHaveLength(1)
  })

  it('of a shallow clone works', async () => {
    const { tree, project, remote } = await newSite()
    await tree.commit({ 'index.html': 'second' })
    const clone = `${tree.directory}-clone`
    await tree.git('clone', '--quiet', '--depth', '1', `file://${tree.directory}`, clone)
    expect((await workTreeIn(clone).git('push', remote, 'main')).said).toContain('remote: Live: ')
    expect(await deploymentsOf(project)).toHaveLength(1)
  })

  it('of more than a megabyte, which comes in chunks after a test of the credentials', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => (at * at * 31 + at) % 251))
    const { tree, project, remote } = await newSite({ 'index.html': '', 'large.bin': bytes })
    await tree.git('config', 'core.compression', '0')
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
    const [{ url }] = await deploymentsOf(project)
    expect((await visit(url, '/large.bin')).body).toHaveLength(bytes.toString('utf8').length)
  })
})

describe('a push is refused by name', () => {
  /** What a push of these files says; nothing is made of it. */
  async function refusalOf(files: Record<string, string>, prepare = async (_tree: WorkTree) => {}) {
    const { tree, project, remote } = await newSite()
    await prepare(tree)
    await tree.commit(files)
    const pushed = await tree.git('push', remote, 'main')
    expect({ ok: pushed.ok, deployments: await deploymentsOf(project) }).toEqual({
      ok: false,
      deployments: [],
    })
    expect(pushed.said).toMatch(/\[remote rejected\] main -> main \(/)
    return pushed.said
  }

  it('for a pointer of Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
    expect(await refusalOf({ 'img/photo.jpg': pointer })).toContain(
      '"img/photo.jpg" stands for a file in Git LFS',
    )
  })

  it('for a submodule', async () => {
    const said = await refusalOf({}, async (tree) => {
      const other = await newWorkTree()
      await other.commit({ 'x.txt': 'x' })
      await tree.git('submodule', '--quiet', 'add', `file://${other.directory}`, 'theme')
    })
    expect(said).toContain('"theme" is a submodule: commit its files themselves.')
  })

  it('for two names that differ in case alone', async () => {
    expect(await refusalOf({ 'Index.html': 'other' })).toContain(
      '"index.html" and "Index.html" differ in nothing but case: rename one.',
    )
  })

  it('for a link that leads to no file of it', async () => {
    const said = await refusalOf({}, (tree) => tree.link('secret', '/etc/passwd'))
    expect(said).toContain('"secret" is a link, but not to a file that is deployed.')
  })

  it('for a file that is larger than one may be, before it is inflated', async () => {
    const zeros = '\0'.repeat(node.settings.SVC_MAX_FILE_BYTES + 1)
    expect(await refusalOf({ 'zeros.bin': zeros })).toMatch(
      /"zeros.bin" has \d+ bytes; a file may have \d+\./,
    )
  })

  it('for a tree that would write into .git where it is checked out', async () => {
    const { tree, project, remote } = await newSite()
    const blob = (await tree.git('rev-parse', 'HEAD:index.html')).output
    const entry = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    await writeFile(join(tree.directory, 'entry'), entry)
    const made = await tree.git('hash-object', '-t', 'tree', '-w', '--literally', 'entry')
    const commit = (await tree.git('commit-tree', made.output, '-m', 'Evil')).output
    const { ok, said } = await tree.git('push', remote, `${commit}:refs/heads/main`)
    expect({ ok, said }).toEqual({ ok: false, said: expect.stringContaining('hasDotgit') })
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('for a name of a branch that is too long', async () => {
    const { tree, project, remote } = await newSite()
    const branch = Array.from({ length: 9 }, () => '🙂'.repeat(10)).join('/')
    const { said } = await tree.git('push', remote, `main:refs/heads/${branch}`)
    expect(said).toContain("remote: A branch's name may have 250 bytes.")
    expect(await deploymentsOf(project)).toEqual([])
  })

  it('for more branches than one push may have', async () => {
    const { tree, project, remote } = await newSite()
    const refs = Array.from({ length: 21 }, (_, at) => `main:refs/heads/b${at}`)
    const { said } = await tree.git('push', remote, ...refs)
    expect(said).toContain('remote: Push at most 20 branches at once, not 21.')
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('for an svc.json that is wrong', async () => {
    expect(await refusalOf({ 'svc.json': '{"build": {"comand": "x"}}' })).toContain('svc.json: build: ')
  })

  it('for an unknown option, before anything is taken', async () => {
    const { tree, project, remote } = await newSite()
    const { ok, said } = await tree.git('push', '-o', 'prod', remote, 'main')
    expect({ ok, said }).toEqual({
      ok: false,
      said: expect.stringContaining(
        'Unknown push option prod: there are target=production and target=preview.',
      ),
    })
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('for a line of _redirects that is invalid, and can be mended by the next push', async () => {
    const { tree, project, remote } = await newSite({ 'index.html': '', _redirects: '/a' })
    const refused = await tree.git('push', remote, 'main')
    expect(refused.said).toContain('_redirects')
    await tree.commit({ _redirects: '/a /b 301' })
    expect((await tree.git('push', remote, 'main')).said).toContain('[new branch]      main -> main')
    expect(await deploymentsOf(project)).toHaveLength(1)
  })
})

it('what is never deployed is left out, and named', async () => {
  const { tree, project, remote } = await newSite({
    'index.html': '',
    '.env': 'SECRET=1',
    'node_modules/x/i.js': '',
  })
  expect((await tree.git('push', remote, 'main')).said).toContain(
    'remote: Never deployed: .env, node_modules.',
  )
  expect(await deploymentsOf(project)).toMatchObject([{ files: 1 }])
})

it('a link to a file of the commit is deployed as that file', async () => {
  const { tree, project, remote } = await newSite({ 'pages/index.html': 'linked' })
  await tree.link('index.html', 'pages/index.html')
  await tree.commit({})
  await tree.git('push', remote, 'main')
  const [{ url }] = await deploymentsOf(project)
  expect((await visit(url)).body).toBe('linked')
})

it('sources of a framework are deployed as they are where svc.json says so', async () => {
  const { tree, project, remote } = await newSite({
    'index.html': 'source',
    'package.json': JSON.stringify({ devDependencies: { vite: '*' } }),
    'svc.json': JSON.stringify({ build: { build_command: null } }),
  })
  expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
  const [{ url }] = await deploymentsOf(project)
  expect((await visit(url)).body).toBe('source')
})

it('svc.json says where the site is, and nothing of who sees it', async () => {
  const file = JSON.stringify({ project: 'other', directory: 'site', protection: 'all' })
  const { tree, project, remote } = await newSite({
    'svc.json': file,
    'site/index.html': 'in site',
    'x.txt': '',
  })
  const { said } = await tree.git('push', remote, 'main')
  expect(said).toContain('svc.json: protection is a setting of the project, which a push does not change.')
  const { production_url, protection } = (await team.owner('GET', `/v1/projects/${project}`)).body
  expect({ protection, body: (await visit(production_url)).body }).toEqual({
    protection: 'none',
    body: 'in site',
  })
  expect(await deploymentsOf(project)).toMatchObject([{ files: 1 }])
})

it('offers what the answer has: no quiet, and other capabilities of git', async () => {
  const { tree } = await newSite()
  const project = unique('site')
  const offered = async () => {
    const response = await fetch(
      `${remoteOf(project)}/info/refs?service=git-receive-pack`.replace(/\/\/.*@/, '//'),
      {
        headers: { authorization: `Basic ${Buffer.from(`x:${team.ownerKey}`).toString('base64')}` },
      },
    )
    return (await response.text()).split('\0')[1]?.split('\n')[0]?.split(' ') ?? []
  }
  const expected = expect.arrayContaining([
    'report-status-v2',
    'side-band-64k',
    'delete-refs',
    'push-options',
  ])
  const before = await offered()
  expect(before).toEqual(expected)
  expect(before).not.toContain('quiet')
  expect(await tree.git('push', '--quiet', remoteOf(project), 'main')).toMatchObject({ ok: true })
  const after = await offered()
  expect(after).toEqual(expected)
  expect(after).not.toContain('quiet')
})

describe('the caller', () => {
  async function saidTo(options: Parameters<typeof remoteOf>[1], project = unique('site')): Promise<string> {
    const { tree } = await newSite()
    const { ok, said } = await tree.git('push', remoteOf(project, options), 'main')
    expect(ok).toBe(false)
    return said
  }

  it('needs a key: a wrong one, a session and none are refused alike', async () => {
    const session = await newSession(node, team.ownerId)
    for (const password of ['wrong', session.token, `${team.ownerKey}x`])
      expect(await saidTo({ password })).toMatch(/Authentication failed|could not read/)
    const { status, headers } = await fetch(
      `${node.apiUrl}/git/${team.slug}/x.git/info/refs?service=git-receive-pack`,
    )
    expect({ status, asks: headers.get('www-authenticate') }).toEqual({
      status: 401,
      asks: 'Basic realm="svc", charset="UTF-8"',
    })
  })

  it('gets the same answer for another team as for none', async () => {
    const other = await newTeam(node)
    await other.owner('PUT', '/v1/projects/theirs')
    const [known, unknown] = [
      await saidTo({ slug: other.slug }, 'theirs'),
      await saidTo({ slug: 'nobody' }, 'theirs'),
    ]
    expect(known).toContain(`There is no ${other.slug}/theirs that this key may push to.`)
    expect(known.replaceAll(other.slug, 'nobody')).toBe(unknown)
  })

  it('who is limited to some projects pushes to those alone', async () => {
    const member = await addMember(node, team)
    const { body: web } = await team.owner('PUT', `/v1/projects/${unique('theirs')}`)
    const { body: other } = await team.owner('PUT', `/v1/projects/${unique('other')}`)
    await limitMember(node, team, member.userId, [web.id])
    const options = { password: member.key }
    expect(await saidTo(options, other.name)).toContain('There is no ')
    expect(await saidTo(options, unique('new'))).toContain('There is no ')
    const { tree } = await newSite()
    expect((await tree.git('push', remoteOf(web.name, options), 'main')).said).toContain('remote: Live: ')
  })

  it('needs a JWT where they are enforced, and the second factor that the team requires', async () => {
    const enforcing = await startTestNode({
      SVC_ROLES: 'api,edge',
      SVC_JWT_SECRET: randomBytes(48).toString('hex'),
    })
    onTestFinished(() => enforcing.stop())
    const own = await newTeam(enforcing)
    const { tree } = await newSite()
    const urlFor = (password: string) => {
      const url = new URL(`/git/${own.slug}/web.git`, enforcing.apiUrl)
      Object.assign(url, { username: 'x', password })
      return url.href
    }
    const push = (password: string, ref = 'main') => tree.git('push', urlFor(password), ref)
    expect((await push(own.ownerKey)).said).toContain('remote: A JWT is required')
    const { token } = await mint(enforcing, own.ownerKey)
    expect((await push(token)).said).toContain('remote: Live: ')
    expect((await push(token, 'main:refs/heads/hidden')).said).toContain('remote: Preview: ')

    const session = await newSession(enforcing, own.ownerId)
    const ofSession = (await mint(enforcing, session.token)).token
    expect((await tree.git('ls-remote', urlFor(ofSession))).said).toContain('takes pushes alone')
    const owner = createClient({ url: enforcing.apiUrl, token, retry: false })
    await owner.teams.requireSecondFactor.mutate({ team: own.id, required: true })
    const required = /remote: The team .* requires a second factor/
    expect((await push(ofSession, ':refs/heads/hidden')).said).toMatch(required)
    const { branches } = await owner.projects.get.query({ project: 'web' })
    expect(branches?.map(({ name }) => name)).toContain('hidden')
    const ask = (path: string, init = {}) => {
      const authorization = `Basic ${Buffer.from(`x:${ofSession}`).toString('base64')}`
      return fetch(`${enforcing.apiUrl}/git/${own.slug}/${path}`, { headers: { authorization }, ...init })
    }
    for (const [path, method] of [
      ['web.git/info/refs?service=git-receive-pack', 'GET'],
      ['new.git/info/refs?service=git-receive-pack', 'GET'],
      ['web.git/git-receive-pack', 'POST'],
      ['web.git/git-upload-pack', 'POST'],
    ] as const) {
      const answer = await ask(path, { method })
      expect({ path, status: answer.status, text: await answer.text() }).toMatchObject({
        path,
        status: 403,
        text: expect.stringContaining('requires a second factor'),
      })
    }
    expect((await push(token, ':refs/heads/hidden')).said).toContain('[deleted]')
  })

  it('fetches nothing', async () => {
    const { tree, remote } = await newSite()
    await tree.git('push', remote, 'main')
    expect((await tree.git('fetch', remote)).said).toContain('This address takes pushes alone')
    const { href, username, password } = new URL(remote)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const address = href.replace(`${username}:${password}@`, '')
    for (const [path, method] of [
      ['info/refs?service=git-upload-pack', 'GET'],
      ['git-upload-pack', 'POST'],
    ] as const) {
      const answer = await fetch(`${address}/${path}`, { method, headers: { authorization } })
      expect({ path, status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        path,
        status: 405,
        allow: '',
      })
    }
  })
})

describe('over HTTP', () => {
  const post = (project: string, body: Buffer | string, headers: Record<string, string> = {}) =>
    fetch(`${node.apiUrl}/git/${team.slug}/${project}.git/git-receive-pack`, {
      method: 'POST',
      body,
      headers: { authorization: `Basic ${Buffer.from(`x:${team.ownerKey}`).toString('base64')}`, ...headers },
    })

  it('a test of the credentials does nothing', async () => {
    const project = unique('site')
    const response = await post(project, '0000')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it.each([
    ['no packets', 'hello'],
    ['half a packet', '00ff'],
    ['a command that is none', '000bpush\n00000000'],
    ['gzip that is none', 'plain', 'gzip'],
  ])('%s is 400', async (_what, body, coding?: string) => {
    const response = await post('site', body, coding === undefined ? {} : { 'content-encoding': coding })
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 400,
      type: 'text/plain; charset=utf-8',
    })
  })

  it('gzip is taken', async () => {
    const response = await post('site', gzipSync('0000'), { 'content-encoding': 'gzip' })
    expect(response.status).toBe(200)
  })

  it('a push that is cut off leaves room for others', async () => {
    const project = unique('site')
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0 report-status side-band-64k`
    const line = (command.length + 4).toString(16).padStart(4, '0') + command
    for (let sent = 0; sent < 6; sent += 1) {
      const socket = connect(Number(new URL(node.apiUrl).port), 'localhost')
      socket.write(
        `POST /git/${team.slug}/${project}.git/git-receive-pack HTTP/1.1\r\nHost: localhost\r\n` +
          `Authorization: Basic ${Buffer.from(`x:${team.ownerKey}`).toString('base64')}\r\n` +
          `Content-Length: 100000\r\n\r\n${line}0000PACK`,
      )
      await sleep(100)
      socket.destroy()
    }
    const { tree } = await newSite()
    await until(async () =>
      (await tree.git('push', remoteOf(project), 'main')).said.includes('remote: Live: '),
    )
  })

  it('a pack that is none makes nothing', async () => {
    const project = unique('site')
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0 report-status side-band-64k`
    const line = (command.length + 4).toString(16).padStart(4, '0') + command
    const response = await post(project, `${line}0000PACK but not really`)
    expect(await response.text()).toContain('unpack ')
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })
})
