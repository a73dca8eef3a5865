/** The program of the last release, built from its commit, to run beside this one. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Its version and commit, as the change log says. */
function lastRelease(): { version: string; commit: string } {
  const text = readFileSync('CHANGELOG.md', 'utf8')
  const [, version, commit] = /^## (\d+\.\d+\.\d+) .*\n\nCommit `([0-9a-f]{40})`/m.exec(text) ?? []
  if (!version || !commit) throw new Error('CHANGELOG.md has no release with a commit.')
  return { version, commit }
}

/** Whether this checkout has the commit: a shallow one, or one without history, doesn't. */
export function hasLastRelease(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${lastRelease().commit}^{commit}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The path of its `main.js`. It is built once, which takes a minute. */
export async function buildLastRelease(): Promise<string> {
  const { version, commit } = lastRelease()
  const built = resolve(`node_modules/.cache/svc-${version}`)
  const main = join(built, 'dist/main.js')
  if (existsSync(main)) return main
  const draft = `${built}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await run('sh', ['-c', `git archive ${commit} | tar -x -C '${draft}'`])
  const options = { cwd: draft, maxBuffer: 64 * 1024 * 1024 }
  // Its lock file lacks what newer versions of npm expect in it, which `npm ci` refuses.
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags], options)
  // At the place that it has in that release.
  const compile = ['-p', 'tsconfig.build.json', '--noCheck', '--declaration', 'false']
  await run(resolve('node_modules/.bin/tsc'), compile, options)
  await rename(draft, built)
  return main
}
