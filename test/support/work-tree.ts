/** A work tree with real git, without the configuration of whoever runs the tests. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { runApart } from './run-apart.ts'

const settings = {
  'user.name': 'Ada',
  'user.email': 'ada@example.com',
  'init.defaultBranch': 'main',
  'protocol.file.allow': 'always',
  // Samples of hooks.
  'init.templateDir': '',
  'maintenance.auto': 'false',
  // No work tree outlives a crash of the machine.
  'core.fsync': 'none',
}
const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}

/** What a command of git did; `said` is its standard error, without the padding of `remote:` lines. */
type GitResult = { ok: boolean; output: string; said: string }

export type WorkTree = {
  directory: string
  git(...args: string[]): Promise<GitResult>
  /** Writes files, removes those that are undefined, and commits all; resolves to the commit. */
  commit(files: Record<string, string | Buffer | undefined>, message?: string): Promise<string>
  /** Makes a symbolic link. */
  link(path: string, target: string): Promise<void>
}

/** An empty repository with the branch `main`; git gets the variables `more`, too. */
export async function newWorkTree(more: NodeJS.ProcessEnv = {}): Promise<WorkTree> {
  const directory = await mkdtemp(join(inject('directory'), 'tree-'))
  const tree = workTreeIn(directory, more)
  await tree.git('init', '--quiet')
  return tree
}

/** The work tree in a directory; git gets the variables `more`, too. */
export function workTreeIn(directory: string, more: NodeJS.ProcessEnv = {}): WorkTree {
  async function git(...args: string[]): Promise<GitResult> {
    const { code, stdout, stderr } = await runApart({
      command: 'git',
      args: [...options, ...args],
      cwd: directory,
      env: { ...env, ...more },
    }).ended
    const output = String(stdout)
    return code === 0
      ? { ok: true, output: output.trimEnd(), said: trimmed(String(stderr)) }
      : { ok: false, output, said: trimmed(String(stderr)) }
  }
  return {
    directory,
    git,
    async commit(files, message = 'Change') {
      for (const [path, content] of Object.entries(files)) {
        const place = join(directory, path)
        await mkdir(dirname(place), { recursive: true })
        if (content === undefined) await rm(place)
        else await writeFile(place, content)
      }
      await git('add', '--all', '--force')
      await git('commit', '--quiet', '--allow-empty', '--message', message)
      return present(directory)
    },
    async link(path, target) {
      await symlink(target, join(directory, path))
    },
  }
}

/** The commit of HEAD, which is detached or was made just now, so that its branch has a file. */
async function present(directory: string): Promise<string> {
  const read = async (name: string) => (await readFile(join(directory, '.git', name), 'utf8')).trimEnd()
  const head = await read('HEAD')
  return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head
}

const trimmed = (text: string) => text.replaceAll(/ +$/gm, '')
