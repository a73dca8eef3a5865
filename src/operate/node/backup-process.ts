/** The program as the process that makes a backup for a node, beside it, so that the node goes on. */
import { Socket } from 'node:net'
import { AppError } from '../../lib/errors.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { parseSettings } from '../../lib/settings/parse.ts'
import { isDiskFull } from '../../stores/db/failures.ts'
import { BackupError } from '../backup/error.ts'
import { runBackUp } from '../backup/run-backup.ts'
import { backupDescriptor, type ToBackup, type ToNode } from './backup-messages.ts'
import { bucketSettingsOf } from './backups.ts'
import { type Channel, createChannel } from './processes/channel.ts'
import { carryMessages } from './processes/pipe.ts'

/** How long it may take to remove what was begun. */
const stopMs = 10_000

const nobodyLooks = { begin() {}, add() {} }

/** Makes one backup, and ends; it is given up when the node says so, or has ended. */
export async function makeBackup(): Promise<void> {
  // A terminal sends them to every process of a node, which says when to stop.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    setTimeout(() => process.exit(1), stopMs).unref()
  }
  const pipe = new Socket({ fd: backupDescriptor })
  pipe.once('close', stop)
  const handlers: ToBackup = { stop }
  const send = carryMessages(pipe, (message) => node.receive(message))
  const node: Channel<ToNode> = createChannel<ToNode>(handlers, send)
  try {
    await node.request('done', await work(node, stopping.signal))
  } catch (error) {
    await node.request('failed', { message: reasonOf(error) }).catch(() => {})
  }
  process.exit(0)
}

async function work(node: Channel<ToNode>, signal: AbortSignal) {
  const settings = parseSettings(process.env)
  const { SVC_BACKUP_TO: to, SVC_BACKUP_KEEP: keep } = settings
  if (!to) throw new SettingsError('SVC_BACKUP_TO is not set.')
  const { made } = await node.request('begin', undefined)
  const { backup, description, there } = await runBackUp({
    node: settings,
    place: to.place,
    bucket: bucketSettingsOf(to, process.env),
    signal,
    progress: nobodyLooks,
    files: 'copied',
    withKey: false,
    keep,
    made,
    requests: {
      hold: {
        begin: async () => void (await node.request('hold', false)),
        extend: () => node.request('hold', true),
      },
      copyDatabase: () => node.request('copyDatabase', undefined),
    },
  })
  const { tables, files } = description
  const dumped = [...tables, files.list].reduce((sum, { bytes }) => sum + bytes, 0)
  return { backup, bytes: dumped + files.bytes, there, missing: files.missing_count }
}

/** A sentence of ours, or one about the system's error. */
function reasonOf(error: unknown): string {
  if (isDiskFull(error) || (error instanceof AppError && error.reason === 'disk_full'))
    return 'The disk of the place, or the one of SVC_DATA_DIR, is nearly full.'
  if (error instanceof BackupError || error instanceof SettingsError || error instanceof AppError)
    return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
