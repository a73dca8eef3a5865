/** Starts a build of the dashboard where it is stale, in a session of its own, at the lowest priority, into a log file. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parseEnv } from 'node:util'
import { isLocked } from '../../dist/data-dir/lock.js'
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
  const settings = { ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))), ...process.env }
  return settings.SVC_DASHBOARD === 'off'
}

function build() {
  mkdirSync(directory, { recursive: true })
  const output = openSync(log, 'w')
  const stdio = ['ignore', output, output]
  spawn(process.execPath, ['dashboard/export/build.mjs'], { stdio, detached: true }).unref()
}
