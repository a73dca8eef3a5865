/**
 * `node build/install.mjs <package>`: installs what a package beside this one needs, unless its lock file is
 * as it was then.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , directory] = process.argv
const lock = readFileSync(join(directory, 'package-lock.json'), 'utf8')
// Within the directory that npm replaces as a whole.
const installed = join(directory, 'node_modules/.installed-lock.json')

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  process.stdout.write(`Installing what ${directory}/ needs ...\n`)
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) {
    // npm makes none where nothing is needed.
    mkdirSync(join(directory, 'node_modules'), { recursive: true })
    writeFileSync(installed, lock)
  } else process.exitCode = 1
}
