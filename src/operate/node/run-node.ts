/** The process: reads the settings, starts a node, and stops it on SIGTERM or SIGINT. */
import type { DestinationStream } from 'pino'
import { builtPlace, isBeingBuilt } from '../../api/server/dashboard/dashboard.ts'
import { openLogStream } from '../../lib/log/log-stream.ts'
import { createLogger, explainError, type Logger } from '../../lib/log/logger.ts'
import { warningsOf } from '../../lib/settings/checks.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { parseSettings, readEnvironment, unknownSettings } from '../../lib/settings/parse.ts'
import { readEnvironmentFile } from '../../stores/data-dir/environment-file.ts'
import { DataDirectoryInUseError } from '../../stores/data-dir/lock.ts'
import { backupArgument } from './backup-messages.ts'
import { greetingOf } from './greeting.ts'
import { type Node, startNode } from './node.ts'
import { limitedToOneProcess, partOf, processArgument, processesOf } from './processes/count.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const warn = (text: string) => process.stderr.write(`${text}\n`)

if (process.argv[2] === processArgument) void runBesideOthers()
else if (process.argv[2] === backupArgument) void runBackup()
else void run()

async function run(): Promise<void> {
  try {
    const environment = readEnvironment(readEnvironmentFile(process.cwd()), process.env)
    for (const sentence of unknownSettings(environment)) warn(sentence)
    const stream = openLogStream()
    const log = openLog(stream)
    const settings = parseSettings(environment)
    for (const sentence of warningsOf(settings)) warn(sentence)
    const limited = limitedToOneProcess(settings)
    if (limited) warn(limited)
    const node = await startNode(partOf(settings, processesOf(settings)), { log, environment })
    stopOnSignal(node)
    const isBuilding = await isBeingBuilt(builtPlace.building)
    const isTerminal = process.stdout.isTTY === true
    say(greetingOf(node, { roles: settings.SVC_ROLES, isBuilding, isTerminal }))
    stream.afterGreeting()
  } catch (error) {
    const expected = error instanceof SettingsError || error instanceof DataDirectoryInUseError
    warn(expected ? error.message : `svc could not start: ${explainError(error)}`)
    process.exitCode = 1
  }
}

/** As one of several processes, which the first one starts. */
async function runBesideOthers(): Promise<void> {
  const { serveAsProcess } = await import('./processes/serve.ts')
  await serveAsProcess(openLog(openLogStream()))
}

/** As the process that makes a backup for a node. */
async function runBackup(): Promise<void> {
  const { makeBackup } = await import('./backup-process.ts')
  await makeBackup()
}

/** The log, which has the error if the process ends with one. */
function openLog(stream: DestinationStream): Logger {
  const log = createLogger(stream)
  // Node would print the whole error, including the parameters of a query.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Unexpected error: the process exits.')
    process.exit(1)
  })
  return log
}

function stopOnSignal(node: Node): void {
  let asked = false
  const stop = async () => {
    if (asked) process.exit(1)
    asked = true
    await node.stop()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
