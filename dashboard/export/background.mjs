/**
 * Starts a build of the dashboard where it is stale, in a session of its own, at the lowest priority, into a
 * log file.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { EnvFileError, parseEnvFile } from '../../dist/lib/env-file.js'
import { isLocked } from '../../dist/stores/data-dir/lock.js'
import { digestSources, isBuiltFrom } from './sources.mjs'

const directory = 'dist/.dashboard'
const log = `${directory}/build.log`

setPriority(constants.priority.PRIORITY_LOW)
if (!isOff() && !isBuiltFrom(digestSources())) {
  if (!(await isLocked(directory))) build()
  process.stdout.write(`The dashboard is being built in the background; log: ${log}\n`)
}

/** Read as the node reads its settings. */
function isOff() {
  const { SVC_DASHBOARD = valueInFile('SVC_DASHBOARD') } = process.env
  return SVC_DASHBOARD === 'off'
}

function valueInFile(name) {
  try {
    const text = existsSync('.env') ? readFileSync('.env', 'utf8') : ''
    return parseEnvFile(text).findLast(({ key }) => key === name)?.value
  } catch (error) {
    // The node says what is wrong with the file, and does not start.
    if (error instanceof EnvFileError) return undefined
    throw error
  }
}

function build() {
  mkdirSync(directory, { recursive: true })
  const output = openSync(log, 'w')
  const stdio = ['ignore', output, output]
  spawn(process.execPath, ['dashboard/export/build.mjs'], { stdio, detached: true }).unref()
}
