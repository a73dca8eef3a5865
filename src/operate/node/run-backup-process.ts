/** Runs the process that makes a backup. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../../lib/log/logger.ts'
import { createWholeLines } from '../../lib/log/whole-lines.ts'
import type { Environment } from '../../lib/settings/parse.ts'
import type { AdminHandlers } from '../../stores/data-dir/admin-protocol.ts'
import { BackupError } from '../backup/error.ts'
import type { MadeBackup } from '../backup/schedule.ts'
import { backupArgument, backupDescriptor, type ToBackup, type ToNode } from './backup-messages.ts'
import { type Channel, createChannel } from './processes/channel.ts'
import { carryMessages } from './processes/pipe.ts'

const program = fileURLToPath(new URL('../../main.js', import.meta.url))

/** How long it may take to stop, before it is killed. */
const stopMs = 12_000

/** The sites come first. */
const priority = 10

type Options = {
  environment: Environment
  handlers: Pick<AdminHandlers, 'holdCollection' | 'copyDatabase'>
  /** The backups that may be removed. */
  made: string[]
  signal: AbortSignal
  log: Logger
}

/** Resolves to the backup that was made. @throws BackupError that says why there is none. */
export async function runBackupProcess({
  environment,
  handlers,
  made,
  signal,
  log,
}: Options): Promise<MadeBackup & { missing: number }> {
  const child = spawn(process.execPath, [program, backupArgument], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let result: (MadeBackup & { missing: number }) | undefined
  let failure: string | undefined
  const ofProcess: ToNode = {
    begin: () => ({ made }),
    hold: async (isExtended) => (await handlers.holdCollection({ extend: isExtended })).held,
    copyDatabase: async () => (await handlers.copyDatabase({})).directory,
    done(made) {
      result = made
    },
    failed({ message }) {
      failure = message
    },
  }
  const pipe = child.stdio[backupDescriptor]
  if (!(pipe instanceof Socket)) throw new Error('The process has no channel.')
  const send = carryMessages(pipe, (message) => channel.receive(message))
  const channel: Channel<ToBackup> = createChannel<ToBackup>(ofProcess, send)
  const lines = createWholeLines(log.passOn)
  child.stderr?.setEncoding('utf8').on('data', lines.write).once('end', lines.end)
  if (child.pid !== undefined) setPriority(child.pid, priority)
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    channel.notify('stop', undefined)
    killing = setTimeout(() => child.kill('SIGKILL'), stopMs)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, by] = await once(child, 'close')
    if (result) return result
    throw new BackupError(
      failure ?? `The process that makes it ${by ? `was ended by ${by}` : `ended with ${code}`}.`,
    )
  } finally {
    clearTimeout(killing)
    signal.removeEventListener('abort', stop)
    channel.close()
  }
}
