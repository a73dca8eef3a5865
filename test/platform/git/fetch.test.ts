/** Fetching a commit from a forge that a project names. */

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { readCommit } from '../../../src/platform/git/commit.ts'
import {
  canPin,
  type Fetched,
  fetchBranch,
  fetchCommit,
  type Wanted,
} from '../../../src/platform/git/fetch.ts'
import { type ForgeAccess, openForgeAccess } from '../../../src/platform/git/forge-access.ts'
import { openObjects } from '../../../src/platform/git/objects.ts'
import { runGit } from '../../../src/platform/git/run-git.ts'
import { beginWriting } from '../../../src/platform/git/writers.ts'
import { type Forge, startForge } from '../../support/git-forge.ts'

let forge: Forge
let access: ForgeAccess
let root: string
/** The names that were looked up. */
let lookedUp: string[]

beforeAll(async () => {
  forge = await startForge()
})

afterAll(() => forge.close())

beforeEach(async () => {
  forge.requests.length = 0
  forge.switches = {}
  lookedUp = []
  root = await mkdtemp(join(inject('directory'), 'fetch-'))
  await writeFile(join(root, 'ca.pem'), forge.ca)
  access = await accessOf({ SVC_GIT_HOSTS: `${forge.host}:${forge.port}`, SVC_GIT_CA: join(root, 'ca.pem') })
})

async function accessOf(settings: Record<string, string>): Promise<ForgeAccess> {
  const resolve = async (name: string) => {
    lookedUp.push(name)
    return [forge.address]
  }
  return { ...(await openForgeAccess(parseSettings(settings))), resolve, resolvePrivate: resolve }
}

/** `directory` is the same for all fetches of a test. */
function wantedOf(commit: string, more: Partial<Wanted> = {}): Wanted {
  const directory = join(root, 'repository.git')
  return {
    url: forge.url,
    user: 'x-access-token',
    token: undefined,
    commit,
    directory,
    signal: new AbortController().signal,
    ...more,
  }
}

const unknown = 'f'.repeat(40)
const token = 'glpat-Zx81kQ'

async function fileOf(commit: string, path: string): Promise<string> {
  return (await runGit(join(root, 'repository.git'), ['cat-file', 'blob', `${commit}:${path}`])).toString()
}

/** What is in the repository, besides what git makes in an empty one. */
async function leftIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  return names.filter((name) => /pack-|tmp_|svc-|shallow|lock|FETCH_HEAD/.test(name))
}

/** The arguments of all processes that have `text` in them. */
async function argumentsWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text))
}

describe('a commit is fetched', () => {
  it('of the tip of a branch, without its history', async () => {
    await forge.commit({ 'index.html': 'one' })
    const commit = await forge.commit({ 'index.html': 'two' })
    expect(await fetchCommit(wantedOf(commit), access)).toMatchObject({ fetched: true })
    expect(await fileOf(commit, 'index.html')).toBe('two')
    const log = await runGit(join(root, 'repository.git'), ['log', '--format=%H', commit])
    expect(log.toString().trim()).toBe(commit)
  })

  it('by an id that no branch is at any more', async () => {
    const earlier = await forge.commit({ 'index.html': 'earlier' })
    await forge.commit({ 'index.html': 'later' })
    expect(await fetchCommit(wantedOf(earlier), access)).toMatchObject({ fetched: true })
    expect(await fileOf(earlier, 'index.html')).toBe('earlier')
  })

  it('into a repository that has others, and twice', async () => {
    const first = await forge.commit({ 'index.html': 'a'.repeat(10_000) })
    const second = await forge.commit({ 'index.html': `${'a'.repeat(10_000)}b`, 'other.txt': 'x' })
    for (const commit of [first, second, second])
      expect(await fetchCommit(wantedOf(commit), access)).toMatchObject({ fetched: true })
    expect(await fileOf(second, 'other.txt')).toBe('x')
    expect(await fileOf(first, 'index.html')).toHaveLength(10_000)
    const check = await runGit(join(root, 'repository.git'), ['fsck', '--connectivity-only'])
    expect(check.toString()).not.toMatch(/missing|broken/)
  })

  it('of a repository with ids of SHA-256', async () => {
    const other = await startForge('sha256')
    const commit = await other.commit({ 'index.html': 'long ids' })
    const hosts = [{ name: other.host, port: other.port }]
    const authorities = other.ca
    const wanted = wantedOf(commit, { url: other.url })
    expect(await fetchCommit(wanted, { ...access, hosts, authorities })).toMatchObject({ fetched: true })
    await other.close()
    expect(await fileOf(commit, 'index.html')).toBe('long ids')
  })

  it('so that it can be made a deployment', async () => {
    const commit = await forge.commit({ 'index.html': 'page', 'assets/site.css': 'a{}' })
    const wanted = wantedOf(commit)
    await fetchCommit(wanted, access)
    const { directory, signal } = wanted
    const objects = openObjects(directory, signal)
    const caps = { maxFiles: 10, maxFileBytes: 1_000, maxDeploymentBytes: 10_000 }
    const build = { install_command: null, build_command: null, output_directory: '.', root_directory: '.' }
    const read = await readCommit(
      { directory, objects, caps, signal },
      { commit, branch: 'main' },
      { build, start: null, wasStatic: async () => false },
    ).finally(() => objects.close())
    expect(read.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['assets/site.css', 'index.html']),
    )
    expect(read.meta).toMatchObject({ author: 'Ada', message: 'Change', commit })
  })

  it('by several fetches at once', async () => {
    const commits = []
    for (const text of ['p', 'q', 'r']) commits.push(await forge.commit({ 'index.html': text }))
    await fetchCommit(wantedOf(commits[0] ?? ''), access)
    const all = await Promise.all(commits.map((commit) => fetchCommit(wantedOf(commit), access)))
    expect(all).toEqual(commits.map((commit) => ({ fetched: true, commit })))
    for (const commit of commits) await runGit(join(root, 'repository.git'), ['log', commit])
  })
})

describe('a branch', () => {
  const branchOf = (branch: string) => fetchBranch({ ...wantedOf(unknown), branch }, access)

  it('is fetched at its newest commit, and leaves no ref', async () => {
    await forge.commit({ 'index.html': 'one' }, 'feature/newest')
    const commit = await forge.commit({ 'index.html': 'two' }, 'feature/newest')
    await forge.commit({ 'index.html': 'three' }, 'feature/newer')
    expect(await branchOf('feature/newest')).toEqual({ fetched: true, commit })
    expect(await fileOf(commit, 'index.html')).toBe('two')
    const refs = await runGit(join(root, 'repository.git'), ['for-each-ref'])
    expect(refs.toString()).toBe('')
  })

  it.each(['gone', 'disconnect/early', '🙂'])('%s that is not there is named as such', async (branch) => {
    expect(await branchOf(branch)).toEqual({
      fetched: false,
      why: 'The repository has no such branch any more.',
      retry: false,
    })
    expect(await leftIn(root)).toEqual([])
  })

  it.each(['../../x', '--upload-pack=id', '*', 'a:refs/heads/b', 'a b', '', 'a..b', 'a.lock', 'a\0b'])(
    '%j can be no branch, and no forge is contacted',
    async (branch) => {
      expect(await branchOf(branch)).toMatchObject({ fetched: false, retry: false })
      expect([lookedUp, forge.requests]).toEqual([[], []])
    },
  )
})

describe('of a forge with ten thousand branches', () => {
  it.each([
    ['the newest protocol', {}],
    ['the oldest one', { tipsOnly: true }],
  ])('one is fetched by %s, in seconds and little memory', async (_what, switches) => {
    const other = await startForge()
    onTestFinished(() => other.close())
    const commit = await other.commit({ 'index.html': 'among many' }, 'wanted')
    const lines = Array.from({ length: 10_000 }, (_, at) => `${commit} refs/heads/b${10_000 + at}\n`)
    await writeFile(join(other.tree.directory, '.git', 'packed-refs'), lines.join(''))
    other.switches = switches
    const hosts = [{ name: other.host, port: other.port }]
    const [startMs, startBytes] = [performance.now(), process.memoryUsage().rss]
    const source = { ...wantedOf(unknown, { url: other.url }), branch: 'wanted' }
    const fetched = await fetchBranch(source, { ...access, hosts, authorities: other.ca })
    expect(fetched).toEqual({ fetched: true, commit })
    expect(performance.now() - startMs).toBeLessThan(30_000)
    expect(process.memoryUsage().rss - startBytes).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('the token', () => {
  it('is sent in a header, and is in the arguments of no process', async () => {
    const commit = await forge.commit({ 'index.html': 'private' })
    forge.switches.credentials = `x-access-token:${token}`
    const seen: string[] = []
    forge.switches.before = async () => {
      seen.push(...(await argumentsWith(String(forge.port))))
    }
    expect(await fetchCommit(wantedOf(commit, { token }), access)).toMatchObject({ fetched: true })
    expect(forge.requests.every(({ authorization }) => authorization?.startsWith('Basic '))).toBe(true)
    expect(seen.some((line) => line.includes('remote-https'))).toBe(true)
    const encoded = Buffer.from(`x-access-token:${token}`).toString('base64')
    for (const line of seen) expect(line).not.toMatch(new RegExp(`${token}|${encoded}`))
    for (const { path } of forge.requests) expect(path).not.toContain(token)
  })

  it.each([undefined, 'another'])('refuses with %s what needs one', async (wrong) => {
    const commit = await forge.commit({ 'index.html': 'private' })
    forge.switches.credentials = `x-access-token:${token}`
    const result = await fetchCommit(wantedOf(commit, { token: wrong }), access)
    expect(result).toEqual({ fetched: false, why: expect.stringContaining('the token'), retry: false })
    expect(JSON.stringify(result)).not.toContain('another')
  })
})

describe('what a forge answers becomes a sentence', () => {
  it.each([
    [403, 'the token has no right', false],
    [404, 'no such repository', false],
    [429, 'further requests', true],
    [500, 'a problem at present', true],
    [503, 'a problem at present', true],
  ])('%i: %s', async (status, why, retry) => {
    forge.switches.status = status
    const result = await fetchCommit(wantedOf(unknown), access)
    expect(result).toEqual({ fetched: false, why: expect.stringContaining(why), retry })
  })

  it('whatever words the address has', async () => {
    const url = forge.url.replace('site.git', 'disconnect.git')
    const result = await fetchCommit(wantedOf(unknown, { url }), access)
    expect(result).toMatchObject({ why: expect.stringContaining('no such repository'), retry: false })
  })

  it('a redirect, which is not followed', async () => {
    forge.switches.location = `https://${forge.host}:${forge.port}/elsewhere/site.git/info/refs`
    const result = await fetchCommit(wantedOf(unknown, { token }), access)
    expect(result).toMatchObject({ why: expect.stringContaining('redirects to another one'), retry: false })
    expect(forge.requests.map(({ path }) => path.split('?')[0])).toEqual(['/team/site.git/info/refs'])
  })

  it('an unknown commit', async () => {
    const result = await fetchCommit(wantedOf(unknown), access)
    expect(result).toMatchObject({ why: expect.stringContaining('no such commit'), retry: false })
    expect(await leftIn(root)).toEqual([])
  })

  it('a commit that is no tip, of a forge that gives out tips alone', async () => {
    const earlier = await forge.commit({ 'index.html': 'no tip' })
    await forge.commit({ 'index.html': 'tip' })
    forge.switches.tipsOnly = true
    const result = await fetchCommit(wantedOf(earlier), access)
    expect(result).toMatchObject({ why: expect.stringContaining('tips of branches alone'), retry: false })
  })

  it('an id that is not that of a commit', async () => {
    const commit = await forge.commit({ 'index.html': 'blob' })
    const blob = (await forge.tree.git('rev-parse', `${commit}:index.html`)).output
    const result = await fetchCommit(wantedOf(blob), access)
    expect(result).toMatchObject({ fetched: false, retry: false })
    expect(await leftIn(root)).toEqual([])
  })

  it('a connection that is lost on the way', async () => {
    const commit = await forge.commit({ 'large.bin': randomBytes(500_000) })
    forge.switches.cutAt = 100_000
    const result = await fetchCommit(wantedOf(commit), access)
    expect(result).toMatchObject({ why: expect.stringContaining('connection'), retry: true })
    expect(await leftIn(root)).toEqual([])
  })

  it('a tree that would write into .git', async () => {
    const blob = (await forge.tree.git('rev-parse', `${await forge.commit({ a: 'b' })}:a`)).output
    const tree = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    await writeFile(join(root, 'tree'), tree)
    const made = await forge.tree.git('hash-object', '-w', '-t', 'tree', '--literally', join(root, 'tree'))
    const commit = (await forge.tree.git('commit-tree', '-m', 'Unsafe', made.output)).output
    const result = await fetchCommit(wantedOf(commit), access)
    expect(result).toMatchObject({ why: expect.stringContaining('unsafe'), retry: false })
    expect(await leftIn(root)).toEqual([])
  })

  it('a certificate of an unknown authority', async () => {
    const commit = await forge.commit({ 'index.html': 'secure' })
    const strict = await accessOf({ SVC_GIT_HOSTS: `${forge.host}:${forge.port}` })
    const result = await fetchCommit(wantedOf(commit), strict)
    expect(result).toMatchObject({ why: expect.stringContaining('is not trusted'), retry: false })
    expect(forge.requests).toEqual([])
  })

  it('nothing, since nobody listens', async () => {
    const other = await startForge()
    await other.close()
    const hosts = [{ name: other.host, port: other.port }]
    const result = await fetchCommit(wantedOf(unknown, { url: other.url }), { ...access, hosts })
    expect(result).toMatchObject({ why: expect.stringContaining('connection'), retry: true })
  })
})

describe('an address is refused', () => {
  it.each([
    'ext::sh -c id',
    'file:///etc',
    '/etc',
    'ssh://git@forge.example.com/a.git',
    'git@forge.example.com:a.git',
    'http://forge.example.com/a.git',
    'git://forge.example.com/a.git',
    'https://user:secret@forge.example.com/a.git',
    'https://@forge.example.com/a.git',
    'https://forge.example.com/a.git?x=1',
    'https://forge.example.com/a.git#x',
    'https:/forge.example.com/a.git',
    'https://forge.example.com/a b.git',
    '--upload-pack=id',
  ])('%s', async (url) => {
    const result = await fetchCommit(wantedOf(unknown, { url }), access)
    expect(result).toMatchObject({ why: expect.stringContaining("The repository's address"), retry: false })
    expect(JSON.stringify(result)).not.toContain('secret')
    expect([lookedUp, forge.requests]).toEqual([[], []])
  })

  it.each([
    'https://127.0.0.1/a.git',
    'https://2130706433/a.git',
    'https://[::1]/a.git',
    'https://[::ffff:10.0.0.1]/a.git',
    'https://169.254.169.254/a.git',
    'https://localhost/a.git',
    'https://forge/a.git',
    'https://db.internal/a.git',
    // The listed host has another port.
    'https://forge.example.com/a.git',
    'https://leads-to-127.example.com/a.git',
  ])('%s, which is not public and not listed', async (url) => {
    const result = await fetchCommit(wantedOf(unknown, { url }), access)
    expect(result).toMatchObject({ why: expect.stringContaining('is not a public host'), retry: false })
  })

  it('with one private address among public ones', async () => {
    const resolve = async () => ['93.184.216.34', '10.0.0.1']
    const result = await fetchCommit(wantedOf(unknown, { url: 'https://example.com/a.git' }), {
      ...access,
      resolve,
    })
    expect(result).toMatchObject({ why: expect.stringContaining('is not a public host') })
  })

  it('of a metadata service, though it is listed', async () => {
    const hosts = [{ name: '169.254.169.254', port: 443 }]
    const result = await fetchCommit(wantedOf(unknown, { url: 'https://169.254.169.254/a.git' }), {
      ...access,
      hosts,
    })
    expect(result).toMatchObject({ why: expect.stringContaining('is not a public host') })
  })

  it('for now, if its name has no address', async () => {
    const resolve = () => Promise.reject(new Error('no address'))
    const result = await fetchCommit(wantedOf(unknown, { url: 'https://example.com/a.git' }), {
      ...access,
      resolve,
    })
    expect(result).toMatchObject({ why: expect.stringContaining('has no address'), retry: true })
  })

  it.each(['main', 'F'.repeat(40), 'f'.repeat(39), `-${'f'.repeat(39)}`])('the id %s', async (commit) => {
    const result = await fetchCommit(wantedOf(commit), access)
    expect(result).toMatchObject({ why: expect.stringContaining('hexadecimal'), retry: false })
  })
})

it('a name is looked up once, and all connections go to the address that was checked', async () => {
  const commit = await forge.commit({ 'index.html': 'pinned' })
  expect(await fetchCommit(wantedOf(commit), access)).toMatchObject({ fetched: true })
  expect(lookedUp).toEqual([forge.host])
  expect(forge.requests.length).toBeGreaterThan(1)
})

it('a name that leads elsewhere at a second look is looked up no second time', async () => {
  const commit = await forge.commit({ 'index.html': 'rebound' }, 'rebound')
  const fetches = [
    (there: ForgeAccess) => fetchCommit(wantedOf(commit), there),
    (there: ForgeAccess) => fetchBranch({ ...wantedOf(unknown), branch: 'rebound' }, there),
  ]
  for (const fetchIt of fetches) {
    const addresses = [forge.address, '127.0.0.2']
    const resolvePrivate = async () => [addresses.shift() ?? '127.0.0.2']
    expect(await fetchIt({ ...access, resolvePrivate })).toEqual({ fetched: true, commit })
    expect(addresses).toEqual(['127.0.0.2'])
  }
})

it('a name with a dot at its end is pinned, too', async () => {
  const commit = await forge.commit({ 'index.html': 'dot' })
  const url = forge.url.replace(forge.host, `${forge.host}.`)
  expect(await fetchCommit(wantedOf(commit, { url }), access)).toMatchObject({ fetched: true })
})

it('without a git that pins addresses nothing is fetched', () => {
  expect(['2.37.0', '2.39.5', '3.0', '10.1'].map(canPin)).toEqual([true, true, true, true])
  expect([undefined, '2.36.9', '1.99', '2'].map(canPin)).toEqual([false, false, false, false])
})

describe('a fetch that is ended leaves nothing', () => {
  /** Less than after what git itself ends a silent connection. */
  const givesUpMs = 25_000

  const large = () => forge.commit({ 'large.bin': randomBytes(3_000_000) })

  it.runIf(process.platform === 'linux')('for a pack that is too large', async () => {
    const limits = { packBytes: 1_000_000, totalMs: 60_000 }
    const result: Fetched = await fetchCommit(wantedOf(await large()), access, limits)
    expect(result).toMatchObject({ why: expect.stringContaining('too large'), retry: false })
    expect(await leftIn(root)).toEqual([])
  })

  it('for a forge that takes too long', async () => {
    forge.switches.before = () => new Promise(() => {})
    const limits = { packBytes: 1_000_000, totalMs: 1_000 }
    const startMs = performance.now()
    const result = await fetchCommit(wantedOf(unknown), access, limits)
    expect(performance.now() - startMs).toBeLessThan(givesUpMs)
    expect(result).toMatchObject({ why: expect.stringContaining('too long'), retry: true })
    expect(await argumentsWith(String(forge.port))).toEqual([])
    expect(await leftIn(root)).toEqual([])
  })

  it('by its signal, with all of its processes', async () => {
    const stop = new AbortController()
    const commit = await large()
    let running: string[] = []
    let stopMs = 0
    forge.switches.before = async ({ method }) => {
      if (method === 'GET') return
      running = await argumentsWith(String(forge.port))
      stopMs = performance.now()
      stop.abort(new Error('stopped'))
      await new Promise(() => {})
    }
    await expect(fetchCommit(wantedOf(commit, { signal: stop.signal }), access)).rejects.toThrow('stopped')
    expect(performance.now() - stopMs).toBeLessThan(givesUpMs)
    expect(running.some((line) => line.includes('remote-https'))).toBe(true)
    expect(await argumentsWith(String(forge.port))).toEqual([])
    expect(await readdir(root)).toEqual(['ca.pem'])
  })

  it('and one whose process died is cleared away by a later one, unless another is under way', async () => {
    const wanted = wantedOf(await forge.commit({ 'index.html': 'later' }))
    await fetchCommit(wanted, access)
    await mkdir(join(wanted.directory, 'svc-fetch-dead'))
    const left = async () => (await readdir(wanted.directory)).filter((name) => name.startsWith('svc-fetch-'))
    const endOther = await beginWriting(wanted.directory)
    await fetchCommit(wanted, access)
    expect(await left()).toEqual(['svc-fetch-dead'])
    await endOther()
    expect(await left()).toEqual([])
  })

  it('and what was in the repository before stays', async () => {
    const commit = await forge.commit({ 'index.html': 'kept' })
    await fetchCommit(wantedOf(commit), access)
    const before = (await readdir(root, { recursive: true })).sort()
    await fetchCommit(wantedOf(unknown), access)
    expect((await readdir(root, { recursive: true })).sort()).toEqual(before)
  })
})

it('SVC_GIT_CA without a certificate is refused at the start', async () => {
  await writeFile(join(root, 'ca.pem'), 'nothing')
  await expect(accessOf({ SVC_GIT_CA: join(root, 'ca.pem') })).rejects.toThrow(/^SVC_GIT_CA should be a PEM/)
})
