/** Builds the dashboard where it is stale, at the lowest priority, into a log file; ends with the build. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { EnvFileError, parseEnvFile } from '../../dist/lib/env-file.js'
import { isLocked } from '../../dist/stores/data-dir/lock.js'
import { digestSources, isBuiltFrom } from './sources.mjs'

const directory = 'dist/.dashboard'

setPriority(constants.priority.PRIORITY_LOW)
if (!isOff() && !isBuiltFrom(digestSources()) && !(await isLocked(directory))) build()

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

/** The child keeps this process waiting, so that both can be ended as one. */
function build() {
  mkdirSync(directory, { recursive: true })
  const output = openSync(`${directory}/build.log`, 'w')
  spawn(process.execPath, ['dashboard/export/build.mjs'], { stdio: ['ignore', output, output] })
}
