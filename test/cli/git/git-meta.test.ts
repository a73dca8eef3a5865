/** What a deployment records of a repository: the same as git would say, without git. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { sourceMeta } from '../../../src/cli/deploy/source-meta.ts'
import { readCommit } from '../../../src/cli/git/read-commit.ts'
import { readRemote } from '../../../src/cli/git/read-remote.ts'

let root: string
let problems: string[]

beforeEach(async () => {
  root = await mkdtemp(join(inject('directory'), 'git-'))
  problems = []
})

const settings = { 'user.name': 'n', 'user.email': 'e@example.com', 'protocol.file.allow': 'always' }
const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])

function git(...args: string[]): string {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const output = execFileSync('git', [...options, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return output.toString().trimEnd()
}

const at = (...path: string[]) => join(root, ...path)
const metaOf = (folder: string, env = {}) => sourceMeta(at(folder), env, (problem) => problems.push(problem))

/** A repository `r` with commits that differ little, so that a pack has them as differences. */
function commits(format = 'sha1'): void {
  git('init', '-q', '-b', 'main', `--object-format=${format}`, 'r')
  const body = 'A sentence that all of these commits have in common.\n'.repeat(40)
  for (let count = 1; count <= 8; count += 1) {
    git('-C', 'r', 'commit', '-q', '--allow-empty', '-m', `Change ${count}`, '-m', body)
  }
  git('-C', 'r', 'commit', '-q', '--allow-empty', '--cleanup=verbatim', '-m', ' \n  two \nlines\t\n \nmore')
  writeFileSync(at('latin1'), Buffer.from('caf\xe9', 'latin1'))
  git('-C', 'r', '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '--allow-empty', '-F', at('latin1'))
  git('-C', 'r', 'commit', '-q', '--allow-empty', '--allow-empty-message', '-m', '')
  git('-C', 'r', 'commit', '-q', '--allow-empty', '-m', 'Über alles')
}

/** Each commit with its subject. */
function subjects(): [commit: string, subject: string][] {
  const lines = git('-C', 'r', 'log', '--format=%H %s').split('\n')
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}

const readAll = () => {
  const common = at('r', '.git')
  return subjects().map(([commit]) => [commit, readCommit({ checkout: common, common }, commit)?.subject])
}

describe('a git checkout', () => {
  it('of this project says nothing of its examples, and of others all that it knows', () => {
    commits()
    mkdirSync(at('r', 'examples', 'hello', 'site'), { recursive: true })
    const manifest = (name: string) => writeFileSync(at('r', 'package.json'), JSON.stringify({ name }))
    manifest('@svc-platform/svc')
    expect(metaOf('r/examples/hello/site')).toEqual({})
    expect(metaOf('r')).toMatchObject({ branch: 'main', message: 'Über alles' })
    manifest('another')
    expect(metaOf('r/examples/hello/site')).toMatchObject({ branch: 'main' })
  })

  it.each(['sha1', 'sha256'])('has the subjects that git reads, loose and in packs (%s)', (format) => {
    commits(format)
    expect(readAll()).toEqual(subjects())
    git('-C', 'r', 'repack', '-adfq')
    expect(readAll()).toEqual(subjects())
    expect(readdirSync(at('r', '.git', 'objects', 'pack')).length).toBeGreaterThan(1)
    // Bases by id, as packs have them that were fetched.
    git('-C', 'r', '-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq')
    expect(readAll()).toEqual(subjects())
  })

  it('is recorded for clones of all kinds, further checkouts and submodules', () => {
    commits()
    const commit = git('-C', 'r', 'rev-parse', 'HEAD')
    const meta = { branch: 'main', commit, message: 'Über alles', author: 'n' }
    git('clone', '-q', at('r'), 'clone')
    git('-C', 'clone', 'pack-refs', '--all')
    git('clone', '-q', '--shared', at('r'), 'shared')
    git('clone', '-q', '--depth', '1', `file://${at('r')}`, 'shallow')
    git('-C', 'r', 'worktree', 'add', '-q', at('tree'), '-b', 'feature/x')
    git('init', '-q', 'around')
    git('-C', 'around', 'submodule', '--quiet', 'add', at('clone'), 'inner')
    mkdirSync(at('clone', 'a', 'b'), { recursive: true })
    for (const folder of ['r', 'clone', 'clone/a/b', 'shallow', 'around/inner']) {
      expect([folder, metaOf(folder)]).toEqual([folder, meta])
    }
    // The message would be read from a repository that a file names.
    expect(metaOf('shared')).toEqual({ branch: 'main', commit })
    expect(metaOf('tree')).toEqual({ ...meta, branch: 'feature/x' })
    git('-C', 'tree', 'checkout', '-q', '--detach')
    expect(metaOf('tree')).toEqual({ commit, message: 'Über alles', author: 'n' })
    const env = { CI_COMMIT_REF_NAME: 'feature/x' }
    expect(metaOf('tree', env)).toEqual({ ...meta, branch: 'feature/x' })
    expect([metaOf('around'), problems]).toEqual([{}, []])
  })

  it.each(['fix/a,b', 'feature/"quoted"', '日本', "it's", 'a#1', 'a@b{c'])(
    'is the branch %s as it is',
    (branch) => {
      commits()
      git('-C', 'r', 'checkout', '-q', '-b', branch)
      git('-C', 'r', 'config', 'log.excludeDecoration', 'refs/heads/*')
      expect(metaOf('r').branch).toBe(branch)
      // The variables are about a commit that may have been checked out without its branch.
      expect(metaOf('r', { CI_COMMIT_REF_NAME: 'other' }).branch).toBe(branch)
    },
  )

  it.each(['Ada Lovelace', 'Ünal Ö.', 'a', "O'Brien, Jr. (ext)", 'x <y'])(
    'has the author %s, without an address',
    (name) => {
      git('init', '-q', '-b', 'main', 'r')
      git(
        '-C',
        'r',
        'commit',
        '-q',
        '--allow-empty',
        '-m',
        'm',
        `--author=${name.replace(' <y', '')} <a@example.com>`,
      )
      expect(metaOf('r').author).toBe(git('-C', 'r', 'log', '-1', '--format=%an'))
      expect(JSON.stringify(metaOf('r'))).not.toContain('example.com')
    },
  )

  it.each([
    'https://ada:ghp_secret@example.com/team/site.git',
    'https://oauth2:secret@example.com:8443/team/site',
    'git@example.com:team/site.git',
    'ssh://git:secret@example.com:2222/team/site.git/',
    'https://example.com/team/site.git?token=secret#secret',
    'https://example.com/a"b;c#d',
    '../elsewhere',
    'C:\\repositories\\site',
  ])('has the repository at %s as git reads it, and never a secret', (remote) => {
    git('init', '-q', '-b', 'main', 'r')
    git('-C', 'r', 'remote', 'add', 'upstream', 'https://example.com/upstream')
    git('-C', 'r', 'remote', 'add', 'origin', remote)
    git('-C', 'r', 'commit', '-q', '--allow-empty', '-m', 'm')
    const common = at('r', '.git')
    expect(readRemote({ checkout: common, common })).toBe(git('-C', 'r', 'config', 'remote.origin.url'))
    const { repository } = metaOf('r')
    const isWeb = repository === undefined || /^https:\/\/example\.com(:8443)?\/[^?]+$/.test(repository)
    expect([isWeb, JSON.stringify(metaOf('r')).includes('secret')]).toEqual([true, false])
    expect(repository === undefined).toBe(remote === '../elsewhere' || remote.startsWith('C:'))
  })

  it('says nothing of a repository that the variables are not about', () => {
    git('init', '-q', '-b', 'main', 'r')
    git('-C', 'r', 'remote', 'add', 'origin', 'https://example.com/team/site')
    git('-C', 'r', 'commit', '-q', '--allow-empty', '-m', 'm')
    git('-C', 'r', 'checkout', '-q', '--detach')
    const env = { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'x', CI_MERGE_REQUEST_IID: '7' }
    const known = metaOf('r')
    expect(metaOf('r', { ...env, CI_PROJECT_URL: 'https://example.com/other' })).toEqual(known)
    const same = { ...env, CI_PROJECT_URL: 'https://ci:token@example.com/team/site.git' }
    expect(metaOf('r', same)).toEqual({ ...known, branch: 'x', pull_request: '7' })
  })

  it('is not that of a repository elsewhere, to which a file leads that came along', () => {
    commits()
    const elsewhere = at('r', '.git')
    for (const folder of ['pointing', 'linking', 'naming', 'worktree/worktrees/x', 'reading']) {
      mkdirSync(at(folder), { recursive: true })
    }
    writeFileSync(at('pointing', '.git'), `gitdir: ${elsewhere}\n`)
    symlinkSync(elsewhere, at('linking', '.git'))
    for (const folder of ['naming', 'reading']) mkdirSync(at(folder, '.git'))
    writeFileSync(at('naming', '.git', 'HEAD'), `ref: refs/../../../r/.git/refs/heads/main\n`)
    writeFileSync(at('reading', '.git', 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(at('reading', '.git', 'commondir'), elsewhere)
    writeFileSync(at('worktree', '.git'), `gitdir: worktrees/x\n`)
    writeFileSync(at('worktree', 'worktrees', 'x', 'gitdir'), at('worktree', '.git'))
    writeFileSync(at('worktree', 'worktrees', 'x', 'commondir'), elsewhere)
    writeFileSync(at('worktree', 'worktrees', 'x', 'HEAD'), 'ref: refs/heads/main\n')
    for (const folder of ['pointing', 'linking', 'naming', 'worktree', 'reading']) {
      expect([folder, metaOf(folder)]).toEqual([folder, {}])
    }
  })

  it.each(['refs', 'refs/heads', 'objects'])(
    'is not that of a repository to which its %s lead',
    (directory) => {
      commits()
      git('init', '-q', '-b', 'main', 'planted')
      if (directory === 'objects') {
        writeFileSync(at('planted', '.git', 'refs/heads/main'), git('-C', 'r', 'rev-parse', 'HEAD'))
      }
      rmSync(at('planted', '.git', directory), { recursive: true })
      symlinkSync(at('r', '.git', directory), at('planted', '.git', directory))
      expect(metaOf('planted')).not.toHaveProperty('message')
      expect(problems).toEqual([
        expect.stringMatching(/^The (commit|message) is not recorded: .* is a link out of the /),
      ])
      if (directory !== 'objects') expect(metaOf('planted')).toEqual({})
    },
  )

  it('has no message from packs elsewhere', () => {
    commits()
    git('-C', 'r', 'repack', '-adfq')
    git('init', '-q', '-b', 'main', 'planted')
    writeFileSync(at('planted', '.git', 'refs/heads/main'), git('-C', 'r', 'rev-parse', 'HEAD'))
    rmSync(at('planted', '.git', 'objects', 'pack'), { recursive: true, force: true })
    symlinkSync(at('r', '.git', 'objects', 'pack'), at('planted', '.git', 'objects', 'pack'))
    expect(metaOf('planted')).not.toHaveProperty('message')
  })

  it('is left out without a word for a reftable, and a directory of git elsewhere', () => {
    git('init', '-q', '-b', 'main', 'tables')
    // As git 2.45 and later write it (gitformat-reftable).
    writeFileSync(at('tables', '.git', 'HEAD'), 'ref: refs/heads/.invalid\n')
    rmSync(at('tables', '.git', 'refs'), { recursive: true })
    mkdirSync(at('tables', '.git', 'refs'))
    writeFileSync(at('tables', '.git', 'refs', 'heads'), 'this repository uses the reftable format\n')
    git('init', '-q', '-b', 'main', '--separate-git-dir', at('apart.git'), 'apart')
    git('-C', 'apart', 'commit', '-q', '--allow-empty', '-m', 'Apart')
    expect([metaOf('tables'), metaOf('apart'), problems]).toEqual([{}, {}, []])
  })

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['an endless device', (path: string) => symlinkSync('/dev/zero', path)],
    ['too large', (path: string) => writeFileSync(path, 'ref: refs/heads/main'.padEnd(100_000))],
  ])('is left out with a sentence when HEAD is %s', (_what, make) => {
    commits()
    rmSync(at('r', '.git', 'HEAD'))
    make(at('r', '.git', 'HEAD'))
    expect(metaOf('r')).toEqual({})
    expect(problems).toEqual([expect.stringMatching(/^The commit is not recorded: .*\.git\/HEAD (is|has) /)])
  })

  it('is without the message where objects are damaged', () => {
    commits()
    git('-C', 'r', 'repack', '-adfq')
    const [commit] = subjects()[0] ?? []
    const folder = at('r', '.git', 'objects', 'pack')
    const [pack = ''] = readdirSync(folder).filter((name) => name.endsWith('.pack'))
    cpSync(at('r'), at('cut'), { recursive: true })
    rmSync(at('cut', '.git', 'objects', 'pack', pack), { force: true })
    writeFileSync(at('cut', '.git', 'objects', 'pack', pack), Buffer.alloc(5_000, 0xff))
    expect(metaOf('cut')).toEqual({ branch: 'main', commit })
  })
})
