/** Checks the format of the files that differ from the last commit, in a second; the rest follows. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const list = (...args) => {
  try {
    return execFileSync('git', [...args, '-z'], { encoding: 'utf8' })
      .split('\0')
      .filter(Boolean)
  } catch {
    // Not a checkout: all files are checked in their turn.
    return []
  }
}
const changed = list('diff', '--name-only', '--diff-filter=d', 'HEAD')
const added = list('ls-files', '--others', '--exclude-standard')
const files = [...changed, ...added]
if (files.length > 0) {
  const options = ['format', '--no-errors-on-unmatched']
  const { status } = spawnSync(join('tools', 'node_modules', '.bin', 'biome'), [...options, '--', ...files], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
