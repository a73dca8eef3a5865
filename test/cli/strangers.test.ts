/** The command in a repository of somebody else: nothing in it runs, and nothing private is published. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let node: TestNode
let team: TestTeam
let home: string
let work: string
let mark: string
let svc: (args: string[], cwd?: string) => Promise<{ code: number; stdout: string; stderr: string }>

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { home: made, svc: run } = await newHome()
  home = made
  work = join(home, 'work')
  mark = join(home, 'mark')
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: String(process.env.PATH) }
  svc = (args, cwd = work) => run(args, { cwd, env })
})

afterEach(() => {
  vi.unstubAllEnvs()
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
}

const deployments = async () => (await team.owner('GET', '/v1/deployments')).body.data

async function expectRefused(message: RegExp, args = ['deploy', '--prod'], cwd = work): Promise<void> {
  const { code, stdout, stderr } = await svc(args, cwd)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(await deployments()).toEqual([])
}

/** Makes git, when it looks for a commit that is missing, run a command. */
const configuration = () => `[core]
	repositoryformatversion = 1
	bare = true
	fsmonitor = "touch ${mark} #"
	pager = "touch ${mark} #"
[extensions]
	partialClone = o
[remote "o"]
	promisor = true
	url = .
	uploadpack = "sh -c 'touch ${mark}; exit 1' #"
`

describe('a repository of somebody else', () => {
  it.each([
    ['within the site', 'site/', 'site'],
    ['as its .git', '.git/', undefined],
  ])('%s runs nothing by its configuration', async (_what, prefix, directory) => {
    await mkdir(join(work, `${prefix}objects`), { recursive: true })
    await mkdir(join(work, `${prefix}refs/heads`), { recursive: true })
    await write({
      [`${prefix}HEAD`]: `${'1'.repeat(40)}\n`,
      [`${prefix}config`]: configuration(),
      'index.html': 'hi',
      'site/index.html': 'hi',
      'svc.json': JSON.stringify({ project: 'web', ...(directory && { directory }) }),
    })
    if (directory) await mkdir(join(work, '.git'))
    const { code, stderr } = await svc(['deploy', '--prod'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(existsSync(mark)).toBe(false)
  })

  it('gets no program started that is called git', async () => {
    const programs = join(home, 'programs')
    await mkdir(programs)
    await writeFile(join(programs, 'git'), `#!/bin/sh\ntouch ${mark}\n`)
    await chmod(join(programs, 'git'), 0o755)
    vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
    execFileSync('git', ['--version'])
    expect(existsSync(mark)).toBe(true)
    await rm(mark)
    const commit = 'a'.repeat(40)
    await write({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/refs/heads/main': `${commit}\n`,
      'index.html': '',
    })
    const { code } = await svc(['deploy', '--project', 'web'])
    expect(code).toBe(0)
    expect(await deployments()).toMatchObject([{ meta: { branch: 'main', commit } }])
    expect(existsSync(mark)).toBe(false)
  })
})

describe('a directory that svc.json names', () => {
  beforeEach(async () => {
    await mkdir(join(home, 'private'))
    await writeFile(join(home, 'private/id_rsa'), 'secret')
  })

  it.each<[string, string, () => Promise<unknown>]>([
    ['is a link', 'public', () => symlink('../private', join(work, 'public'))],
    [
      'is a chain of links',
      'public',
      async () => {
        await symlink('../private', join(work, 'b'))
        await symlink('b', join(work, 'public'))
      },
    ],
    ['has a link in the middle', 'a/private', () => symlink('..', join(work, 'a'))],
  ])('out of its folder is not deployed, where it %s', async (_what, directory, make) => {
    await make()
    await write({ 'svc.json': JSON.stringify({ project: 'web', directory }) })
    await expectRefused(/is a link out of .*work/)
    await expectRefused(/is a link out of .*work/, ['deploy', '.', '--prod'])
    const { code } = await svc(['deploy', directory, '--project', 'web'])
    expect(code).toBe(0)
  })

  it.each([
    ['.git', 'config'],
    ['.svc', 'blobs/1'],
    ['data/blobs', '1'],
    ['node_modules/x', 'index.js'],
  ])('is not deployed if it is %s, also by a link', async (folder, file) => {
    await write({ [`${folder}/${file}`]: 'secret', 'data/encryption.key': '' })
    await symlink(folder, join(work, 'public'))
    for (const directory of [folder, 'public']) {
      await write({ 'svc.json': JSON.stringify({ project: 'web', directory }) })
      await expectRefused(/is never deployed/)
    }
  })

  it('may be a link within its folder', async () => {
    await write({ 'v2/index.html': 'two', 'svc.json': '{"project":"web","directory":"current"}' })
    await symlink('v2', join(work, 'current'))
    const { stdout } = await svc(['deploy', '--prod'])
    expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'two' })
  })
})

describe('a file that is never deployed', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a link', () => symlink('.env', join(work, 'notes.txt'))],
    ['a hard link', () => link(join(work, '.env'), join(work, 'notes.txt'))],
  ])('is not deployed by the name of %s', async (_what, make) => {
    await write({ '.env': 'PASSWORD=x', 'index.html': '' })
    await make()
    const { code, stderr } = await svc(['deploy', '--project', 'web'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/notes\.txt is (a link to|the same file as) \.env, which is not deployed/)
    expect(await deployments()).toEqual([])
  })

  it('is named when .svcignore includes it', async () => {
    await write({ '.env': 'PASSWORD=x', '.git/config': '', 'index.html': '', '.svcignore': '!.env\n!.git\n' })
    const { code, stderr } = await svc(['deploy', '--project', 'web'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/\.svcignore includes .*: \.env, \.git\/config\. To leave it out, remove /)
  })
})

/** Only root can give files away. */
describe.skipIf(process.getuid?.() !== 0)('a file of another user', () => {
  const other = 54_321
  const give = (path: string) => chown(join(work, path), other, other)

  it('svc.json is refused, in the working directory and above it', async () => {
    await write({ 'svc.json': '{"project":"web"}', 'mine/index.html': '' })
    await give('svc.json')
    const message = /work\/svc\.json belongs to another user \(54321\)/
    await expectRefused(message)
    await expectRefused(message, ['deploy', '--prod'], join(work, 'mine'))
    await expectRefused(message, ['deploy', 'mine', '--prod'])
    await expectRefused(message, ['env', 'ls'])
    vi.stubEnv('SUDO_UID', String(other))
    expect(await svc(['deploy', '--prod'])).toMatchObject({ code: 0 })
  })

  it('.svcignore decides nothing, and a package.json runs nothing', async () => {
    await write({ '.svcignore': '!.env', 'index.html': '', '.env': 'PASSWORD=x' })
    await give('.svcignore')
    await expectRefused(/\.svcignore belongs to another user/, ['deploy', '--project', 'web'])
    const scripts = { build: `touch ${mark}` }
    await write({ 'package.json': JSON.stringify({ scripts, devDependencies: { vite: '7' } }) })
    await mkdir(join(work, 'node_modules'))
    await give('package.json')
    await expectRefused(/package\.json belongs to another user/, ['deploy', '--project', 'web', '--build'])
    expect(existsSync(mark)).toBe(false)
  })

  it('.env decides nothing for the commands of the node', async () => {
    await write({ '.env': 'SVC_DATA_DIR=elsewhere' })
    await give('.env')
    await expectRefused(/\.env belongs to another user/, ['admin', 'key'])
    expect(existsSync(join(work, 'elsewhere'))).toBe(false)
  })

  it('.git describes nothing', async () => {
    await write({ '.git/HEAD': `${'a'.repeat(40)}\n`, 'index.html': '' })
    await give('.git')
    await svc(['deploy', '--project', 'web'])
    expect(await deployments()).toMatchObject([{ meta: {} }])
  })
})

describe('a file that every user may write', () => {
  it.each(['svc.json', '.svcignore'])('%s is refused, and not one that a group may write', async (name) => {
    await write({ 'svc.json': '{"project":"web"}', '.svcignore': '', 'index.html': '' })
    await chmod(join(work, name), 0o666)
    await expectRefused(/can be written by every user of this machine, .* `chmod o-w /)
    await chmod(join(work, name), 0o664)
    expect(await svc(['deploy', '--prod'])).toMatchObject({ code: 0 })
  })
})

describe('a file that is no file', () => {
  type Make = (path: string) => Promise<void>
  const pipe: [string, Make] = ['a pipe', async (path) => void execFileSync('mkfifo', [path])]
  const endless: [string, Make] = ['endless', (path) => symlink('/dev/zero', path)]
  const large: [string, Make] = ['large', (path) => writeFile(path, '{"project":"web"}'.padEnd(3_000_000))]
  const elsewhere: [string, Make] = ['a link', (path) => symlink('../elsewhere.json', path)]

  it.each([pipe, endless, large, elsewhere])(
    'svc.json: every command refuses it, and completion is silent (%s)',
    async (_what, make) => {
      await writeFile(join(home, 'elsewhere.json'), '{"project":"web"}')
      await make(join(work, 'svc.json'))
      await expectRefused(/svc\.json (is|has) .*It has to be a file of at most 65536 bytes/)
      await expectRefused(/svc\.json (is|has) /, ['link', 'web'])
      expect(await svc(['__complete', '--', 'promote', ''])).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(await readFile(join(home, 'elsewhere.json'), 'utf8')).toBe('{"project":"web"}')
    },
  )

  it.each([pipe, endless, large])('package.json: it is refused (%s)', async (_what, make) => {
    await write({ 'index.html': '' })
    await make(join(work, 'package.json'))
    await expectRefused(/package\.json (is|has) /, ['deploy', '--project', 'web'])
  })

  it.each([pipe, endless, large])('the file of svc login: it is refused (%s)', async (_what, make) => {
    await mkdir(join(home, '.config/svc'), { recursive: true })
    await make(join(home, '.config/svc/credentials.json'))
    const { svc: run } = await newHome()
    const { code, stderr } = await run(['whoami'], { env: { HOME: home } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/credentials\.json (is|has) /)
  })

  it('.env: the commands of the node refuse it', async () => {
    execFileSync('mkfifo', [join(work, '.env')])
    await expectRefused(/\.env is not a regular file/, ['admin', 'key'])
  })
})

it('names the folder that is deployed, where svc.json is above', async () => {
  await write({ 'svc.json': '{"project":"web"}', 'index.html': '', 'a/b.html': '' })
  const { stderr } = await svc(['deploy'], join(work, 'a'))
  expect(stderr).toMatch(/^Deploying .*work, as .*work\/svc\.json says\./m)
})
