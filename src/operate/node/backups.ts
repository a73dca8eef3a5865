/** Has backups made by schedule, as the settings say: by one node at a time, in a process beside it. */
import { randomUUID } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { BackupTarget } from '../../lib/settings/backup.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { type Environment, parseSettings } from '../../lib/settings/parse.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { trashLimitsOf } from '../../platform/deployments/caps.ts'
import type { Schedule } from '../../platform/observability/alerts/backups.ts'
import { startLoop, type Task } from '../../roles/worker/loop.ts'
import type { AdminHandlers } from '../../stores/data-dir/admin-protocol.ts'
import type { Database } from '../../stores/db/database.ts'
import { refuseOwnPlace } from '../backup/open-place.ts'
import { claimBackup, endBackup, extendBackup, readMade, recordBackup } from '../backup/schedule.ts'
import { createAdminHandlers } from './admin.ts'
import type { NodeContext } from './context.ts'
import { runBackupProcess } from './run-backup-process.ts'

/** The schedule of the settings; undefined without one. */
export function scheduleOf({ SVC_BACKUP_EVERY: everyMs, SVC_BACKUP_TO: to }: Settings): Schedule | undefined {
  return everyMs === undefined || !to ? undefined : { location: to.place, everyMs }
}

/**
 * The settings for a bucket of backups; undefined for a directory.
 * @throws SettingsError where something is missing for it.
 */
export function bucketSettingsOf(
  { kind, place }: BackupTarget,
  environment: Environment,
): Settings | undefined {
  if (kind === 'directory') return undefined
  try {
    return parseSettings({ ...environment, SVC_BLOBS: place })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    throw new SettingsError(error.message.replaceAll('SVC_BLOBS', 'SVC_BACKUP_TO'), { cause: error })
  }
}

/**
 * Checks the place of backups before any is due.
 * @throws SettingsError for one that is missing, or in which the node keeps its own files.
 */
async function checkBackupPlace(
  settings: Settings,
  environment: Environment,
  to: BackupTarget,
): Promise<void> {
  if (to.kind === 'directory') await refuseMissing(to.place)
  const directory = to.kind === 'directory' ? await realpath(to.place) : to.place
  const node = { ...settings, SVC_DATA_DIR: await realpath(settings.SVC_DATA_DIR) }
  refuseOwnPlace(directory, { node, bucket: bucketSettingsOf(to, environment) })
}

/** A disk that isn't mounted has no directory: nothing is made in its place. */
async function refuseMissing(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined)
  if (!found?.isDirectory())
    throw new SettingsError(
      `SVC_BACKUP_TO (${directory}) is no directory that is there: make it, or mount its disk.`,
    )
}

/** How often a node looks whether one is due. */
const everyMs = 10_000

const extendEveryMs = 5_000

type Deps = Pick<
  NodeContext,
  'settings' | 'environment' | 'installation' | 'removal' | 'nowMs' | 'log' | 'observers'
>

/**
 * Looks for backups that are due, and makes them, until it is closed, which breaks off one that is under way;
 * undefined without a schedule.
 * @throws SettingsError as `checkBackupPlace` does.
 */
export async function startBackups(deps: Deps): Promise<{ close(): Promise<void> } | undefined> {
  const { settings, environment, installation, removal, nowMs, log, observers } = deps
  const schedule = scheduleOf(settings)
  const { SVC_BACKUP_TO: to } = settings
  if (!schedule || !to) return undefined
  await checkBackupPlace(settings, environment, to)
  const handlers = createAdminHandlers({
    ...installation,
    directory: settings.SVC_DATA_DIR,
    apiUrl: undefined,
    trash: trashLimitsOf(settings),
    nowMs,
    removal,
  })
  const making = { to, settings, environment, db: installation.store.db, handlers, nowMs, log }
  return { close: startLoop([backupTask(making, schedule)], log, observers.observe.work.taskFailed) }
}

type Making = Pick<Deps, 'settings' | 'environment' | 'nowMs' | 'log'> & {
  to: BackupTarget
  db: Database
  handlers: AdminHandlers
}

function backupTask(making: Making, { location, everyMs: intervalMs }: Schedule): Task {
  const { db, nowMs } = making
  const holder = `${hostname()} ${randomUUID()}`
  const turn = () => ({ location, holder, nowMs: nowMs() })

  return {
    name: 'make backups',
    everyMs,
    // At the first start of all the database is empty yet.
    firstAfterMs: everyMs,
    async run(stopping) {
      if (!(await claimBackup(db, { ...turn(), everyMs: intervalMs }))) return false
      const lost = new AbortController()
      const extending = setInterval(() => {
        // Until the lease ends the turn stays this node's, and the next call may succeed.
        extendBackup(db, turn()).then(
          (isHeld) => !isHeld && lost.abort(),
          () => {},
        )
      }, extendEveryMs)
      try {
        await make(making, turn, AbortSignal.any([stopping, lost.signal]))
      } finally {
        clearInterval(extending)
      }
      return false
    },
  }
}

type Turn = { location: string; holder: string; nowMs: number }

async function make(
  { to, settings, environment, db, handlers, log }: Making,
  turn: () => Turn,
  signal: AbortSignal,
): Promise<void> {
  const { location, nowMs: startedMs } = turn()
  try {
    await checkBackupPlace(settings, environment, to)
    const made = await readMade(db, location)
    const { missing, ...backup } = await runBackupProcess({ environment, handlers, made, signal, log })
    await recordBackup(db, turn(), { ...backup, startedMs })
    if (missing > 0)
      log.warn(
        { location, backup: backup.backup, missing },
        'Files are missing in the installation itself, and so in its backup: svc admin check says of what.',
      )
    log.info({ location, backup: backup.backup, bytes: backup.bytes }, 'A backup was made.')
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    if (!signal.aborted) log.error({ location, failure }, 'A backup could not be made.')
    await endBackup(db, turn(), signal.aborted ? undefined : failure)
  }
}
