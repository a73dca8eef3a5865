/**
 * `npm run dashboard`: builds `dist/dashboard`, unless it is what the sources give already. One process
 * builds at a time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lockDataDirectory } from '../../dist/stores/data-dir/lock.js'
import { digestSources, isBuiltFrom } from './sources.mjs'

/** How long the build of another process is waited for, and each step of this one. */
const maxMs = 10 * 60_000

const say = (text) => process.stdout.write(`${text}\n`)

let lock
try {
  lock = await lockDataDirectory('dist/.dashboard', { waitMs: maxMs })
  const digest = digestSources()
  if (isBuiltFrom(digest)) say('The dashboard is up to date.')
  else await build(digest)
} catch (error) {
  process.stderr.write(`The dashboard was not built: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await lock?.release()
}

async function build(digest) {
  const startedMs = performance.now()
  await run(process.execPath, ['build/install.mjs', 'dashboard'])
  await run('npm', ['run', '--silent', 'build'], 'dashboard')
  await run(process.execPath, ['dashboard/export/finish.mjs', 'dashboard/out', 'dist/dashboard', digest])
  say(`Built the dashboard in ${Math.round((performance.now() - startedMs) / 1_000)} s.`)
}

/** Ends with this process, where that is asked to. @throws where it fails. */
async function run(program, args, cwd = '.') {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: maxMs,
    shell: process.platform === 'win32' && program === 'npm',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  })
  const stop = () => child.kill()
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  const [code, signal] = await once(child, 'exit')
  for (const each of signals) process.off(each, stop)
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${code ?? signal}.`)
}
