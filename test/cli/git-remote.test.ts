/** `svc git remote` and `git push`, with real git, and no password in any address. */
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visit } from '../platform/deployments/steps.ts'
import { enforcingNode } from '../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newWorkTree, type WorkTree, workTreeIn } from '../support/work-tree.ts'
import { newHome, svcMain } from './svc.ts'

let node: TestNode
let team: TestTeam
let project: string
let tree: WorkTree
let home: string
let svc: (args: string[], options?: { cwd?: string; env?: Record<string, string> }) => Promise<Outcome>

type Outcome = { code: number; stdout: string; stderr: string }

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(() => begin(node))

/** Logs in to `at`, and makes a project and a work tree, whose git finds `svc`. */
async function begin(at: TestNode): Promise<void> {
  const made = await newHome()
  home = made.home
  team = await newTeam(at)
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${await svcMain()}' "$@"\n`)
  await chmod(join(bin, 'svc'), 0o755)
  const PATH = [bin, process.env.PATH].join(delimiter)
  tree = await newWorkTree({ HOME: home, PATH })
  svc = (args, { cwd = tree.directory, env } = {}) => made.svc(args, { cwd, env: { PATH, ...env } })
  const login = await made.svc(['login', '--url', at.apiUrl], { input: team.ownerKey })
  expect(login).toMatchObject({ code: 0 })
  project = unique('site')
  expect(await svc(['projects', 'add', project])).toMatchObject({ code: 0 })
  await tree.commit({ 'index.html': 'pushed' })
}

const addressOn = (at: TestNode) => `${at.apiUrl}/git/${team.slug}/${project}.git`
const configuration = () => readFile(join(tree.directory, '.git/config'), 'utf8')

async function expectPushed(): Promise<void> {
  const { ok, said } = await tree.git('push', 'svc', 'main')
  expect({ ok, said }).toEqual({ ok: true, said: expect.stringContaining('remote: Live: ') })
  const [, url = ''] = /^remote: Live: (\S+)/m.exec(said) ?? []
  expect(await visit(url)).toEqual({ status: 200, body: 'pushed' })
}

describe('svc git remote', () => {
  it('adds the linked project, to which git then pushes with the key of svc login', async () => {
    await svc(['link', project])
    expect(await svc(['git', 'remote'])).toEqual({
      code: 0,
      stdout: `Added the remote svc: ${addressOn(node)}\nDeploy with: git push svc main\n`,
      stderr: '',
    })
    expect(await configuration()).not.toContain(team.ownerKey)
    await expectPushed()
    expect(await configuration()).not.toContain(team.ownerKey)
  })

  it('says where git will not find svc', async () => {
    const { code, stderr } = await svc(['git', 'remote', '--project', project], {
      env: { PATH: process.env.PATH ?? '' },
    })
    const missing = 'Git finds no `svc` on your PATH, which it asks for the key: '
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${missing}npm install -g ${node.apiUrl}/svc.tgz\n` })
  })

  it('works on a server that enforces JWTs', async () => {
    const enforcing = await enforcingNode()
    await begin(enforcing)
    expect(await svc(['git', 'remote', '--project', project])).toMatchObject({ code: 0 })
    await expectPushed()
  })

  it('keeps the key from the helpers that git has for every server', async () => {
    const global = join(home, 'gitconfig')
    const kept = join(home, 'kept')
    await writeFile(global, `[credential]\n\thelper = store --file ${kept}\n`)
    await svc(['git', 'remote', '--project', project])
    const environment = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
    tree = workTreeIn(tree.directory, { ...environment, GIT_CONFIG_GLOBAL: global })
    await expectPushed()
    await expect(access(kept)).rejects.toThrow('ENOENT')
  })

  it('starts nothing that the configuration of the repository names', async () => {
    const mark = join(home, 'mark')
    const aliases = ['alias.remote', 'alias.config', 'alias.finds-svc']
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', ...aliases])
      await tree.git('config', key, `!touch ${mark} #`)
    expect(await svc(['git', 'remote', '--project', project])).toMatchObject({ code: 0 })
    await expect(access(mark)).rejects.toThrow('ENOENT')
  })

  it('run again changes nothing, and says so', async () => {
    await svc(['git', 'remote', '--project', project])
    const before = await configuration()
    expect(await svc(['git', 'remote', '--project', project])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`There is already the remote svc: ${addressOn(node)}\n`),
    })
    expect(await configuration()).toBe(before)
  })

  it('prints name and address as JSON', async () => {
    const { code, stdout } = await svc(['git', 'remote', '--project', project, '--name', 'live', '--json'])
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, name: 'live', url: addressOn(node) })
    expect((await tree.git('remote', 'get-url', 'live')).output).toBe(addressOn(node))
  })

  it('changes a remote with another address only with --force, and shows no password of it', async () => {
    await tree.git('remote', 'add', 'svc', 'https://ada:secret@git.test/site.git')
    const before = await configuration()
    expect(await svc(['git', 'remote', '--project', project])).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'svc: The remote svc is https://git.test/site.git: ' +
        'pass --force to change it, or --name for another.\n',
    })
    expect(await configuration()).toBe(before)
    expect(await svc(['git', 'remote', '--project', project, '--force'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Changed the remote svc: '),
    })
    await expectPushed()
  })

  it('takes a remote that pushes to elsewhere for another', async () => {
    await tree.git('remote', 'add', 'svc', addressOn(node))
    await tree.git('remote', 'set-url', '--push', 'svc', 'https://git.test/site.git')
    expect(await svc(['git', 'remote', '--project', project])).toMatchObject({ code: 5 })
    expect(await svc(['git', 'remote', '--project', project, '--force'])).toMatchObject({ code: 0 })
    await expectPushed()
  })

  it('leads to a project that the push is to make', async () => {
    const added = await svc(['git', 'remote', '--project', 'fresh', '--name', 'fresh'])
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(/^Added the remote fresh: .*\/fresh\.git$/m)
    expect(added.stdout).toContain('git push fresh main, which makes the project fresh\n')
  })

  it('needs a work tree, a project, git, and a word for a name', async () => {
    expect(await svc(['git', 'remote', '--project', project], { cwd: home })).toMatchObject({
      code: 2,
      stderr: `svc: ${home} is not in a git work tree: run \`git init\` first.\n`,
    })
    expect(await svc(['git', 'remote', '--project', '-no'])).toMatchObject({ code: 2 })
    expect(await svc(['git', 'remote', '--project', `prj_${'0'.repeat(32)}`])).toMatchObject({ code: 4 })
    const PATH = join(home, 'work')
    expect(await svc(['git', 'remote', '--project', project], { env: { PATH } })).toMatchObject({
      code: 1,
      stderr: 'svc: git is not installed, or not on PATH.\n',
    })
    expect(await svc(['git', 'remote', '--name=--mirror'])).toMatchObject({ code: 2 })
  })
})

describe('svc link', () => {
  it('mentions it in a work tree, and not elsewhere or as JSON', async () => {
    const hint = 'To deploy with `git push`, run `svc git remote`.\n'
    expect(await svc(['link', project])).toMatchObject({ code: 0, stderr: hint })
    expect(await svc(['link', project, '--json'])).toMatchObject({ code: 0, stderr: '' })
    expect(await svc(['link', project], { cwd: home })).toMatchObject({ code: 0, stderr: '' })
  })
})
