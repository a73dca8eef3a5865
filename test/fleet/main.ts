/** The harness: runs the fleet, has its history judged, and prints what came out. Started by run.mjs. */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check } from './checker/check.ts'
import { report } from './checker/report.ts'
import { createCleanUps } from './clean-ups.ts'
import { parseHistory, toHistory } from './history/history.ts'
import { openRecorder } from './history/recorder.ts'
import { endStarts } from './parts/child.ts'
import { runFleet } from './run-fleet.ts'

const {
  FLEET_DIRECTORY = '',
  FLEET_PROGRAM = '',
  FLEET_ONLY = '',
  FLEET_CAN_MOUNT,
  FLEET_SOAK_MINUTES,
  FLEET_ATTACK,
} = process.env

// When whoever reads this has died, the run ends in order.
process.stdout.on('error', () => {})
process.exit(await run())

/** The exit code: 1 with violations, 130 when it was stopped. */
async function run(): Promise<number> {
  const file = join(FLEET_DIRECTORY, 'history.jsonl')
  const recorder = openRecorder(file)
  const cleanUps = createCleanUps()
  const soakMs = FLEET_SOAK_MINUTES === undefined ? undefined : Number(FLEET_SOAK_MINUTES) * 60_000
  const running = runFleet({
    directory: FLEET_DIRECTORY,
    program: FLEET_PROGRAM,
    canMount: FLEET_CAN_MOUNT === '1',
    recorder,
    soakMs,
    isAttacked: FLEET_ATTACK === '1',
    only: FLEET_ONLY,
    cleanUp: cleanUps.add,
    say: (text) => say(recorder.nowMs(), text),
  })
  let isStopped = false
  try {
    isStopped = await Promise.race([running.then(() => false), signaled()])
  } finally {
    endStarts()
    await cleanUps.run()
    await recorder.close()
  }
  if (isStopped) {
    // Whoever started this, and would remove it, may have died.
    await rm(FLEET_DIRECTORY, { recursive: true, force: true })
    return 130
  }
  const history = toHistory(parseHistory(readFileSync(file, 'utf8')))
  const judgement = check(history)
  process.stdout.write(`\n${report(history, judgement)}`)
  return judgement.violations.length > 0 ? 1 : 0
}

function say(timeMs: number, text: string): void {
  process.stdout.write(`${(timeMs / 1_000).toFixed(0).padStart(4)} s  ${text}\n`)
}

/**
 * Resolves to true at Ctrl-C, of which a second one ends the process at once, and when the parent has died:
 * then SIGTERM comes once for each of its threads.
 */
function signaled(): Promise<boolean> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve(true))
    process.once('SIGINT', () => {
      process.once('SIGINT', () => process.exit(130))
      resolve(true)
    })
  })
}
