/**
 * `node deploy/assemble.mjs <directory>`: puts a built program with its production dependencies there, as the
 * image has it: the packed release, the node's one file, which starts faster than the modules, and what runs
 * of `node_modules`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [, , given] = process.argv
if (given === undefined) throw new Error('Usage: node deploy/assemble.mjs <directory>')
const directory = resolve(given)
mkdirSync(directory, { recursive: true })
if (readdirSync(directory).length > 0) throw new Error(`${directory} is not empty.`)

unpackRelease()
for (const name of readdirSync('dist').filter((each) => each.startsWith('node-program'))) {
  cpSync(join('dist', name), join(directory, 'dist', name))
}
cpSync('deploy/image/healthcheck.mjs', join(directory, 'healthcheck.mjs'))
installDependencies()

function unpackRelease() {
  const packed = mkdtempSync(join(tmpdir(), 'svc-release-'))
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed])
  const [archive = ''] = readdirSync(packed)
  run('tar', ['-xzf', join(packed, archive), '-C', directory, '--strip-components=1'])
  rmSync(packed, { recursive: true })
}

/** By the lock file. Peers are types, or adapters of databases that svc has none of. */
function installDependencies() {
  const lock = join(directory, 'package-lock.json')
  cpSync('package-lock.json', lock)
  const without = ['dev', 'optional', 'peer'].map((kind) => `--omit=${kind}`)
  run('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...without], directory)
  rmSync(lock)
  const modules = join(directory, 'node_modules')
  for (const { parentPath, name } of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (!isRun(name)) rmSync(join(parentPath, name), { recursive: true, force: true })
  }
}

/** Licenses are to be kept, too. */
function isRun(name) {
  return !/\.(?:map|md|[cm]?ts|flow)$/.test(name) || /^(?:licen[cs]e|notice|copying)/i.test(name)
}

function run(program, args, cwd = '.') {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`)
}
