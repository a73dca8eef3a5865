/**
 * Ends restores that were broken off: an installation is the old one or the new one, never a mixture of both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { openOrigin } from '../../stores/blobs/open-store.ts'
import { committedPostgres } from './postgres-session.ts'
import { type Restoring, readRestoring, restoringPath } from './restore-state.ts'
import { endSwitch, type Switching, switchBack, switchOver } from './switch-over.ts'

/**
 * Before a node, or anything else, opens the installation, whose data directory the caller has locked. Where
 * a restore died while it switched, the switch is finished or undone.
 * @throws SettingsError that says what to do, where there is no whole installation; the stores' own errors
 * when they are away.
 */
export async function settleRestore(settings: Settings): Promise<void> {
  const directory = settings.SVC_DATA_DIR
  const restoring = await readRestoring(directory)
  if (restoring?.phase === 'switching') await settleSwitch(settings, restoring)
  const left = restoring && (await readRestoring(directory))
  if (left === undefined) return
  throw new SettingsError(
    'A restore into this installation was broken off, so nothing whole is there. ' +
      `Run it again: \`${left.command}\`. ` +
      `To begin with nothing instead, remove ${restoringPath(directory)} and ${left.location}.`,
  )
}

/**
 * Finishes a switch if the new database is in its place or complete, and undoes it otherwise. Returns whether
 * it is finished.
 * @throws SettingsError with other settings than the restore had; the stores' own errors when they are away.
 */
export async function settleSwitch(settings: Settings, restoring: Restoring): Promise<boolean> {
  const { SVC_DATA_DIR: directory, DATABASE_URL: url } = settings
  const store = await openOrigin(settings)
  try {
    if (store.location !== restoring.location || (url === undefined) !== (restoring.engine === 'pglite'))
      throw otherSettings(directory, restoring)
    const switching = { restoring, directory, blobs: store.blobs }
    const { transaction } = restoring
    const isNew = url === undefined || (await isCommitted(url, transaction, directory))
    await (isNew ? finish(switching) : switchBack(switching))
    return isNew
  } finally {
    await store.close()
  }
}

async function finish(switching: Switching): Promise<void> {
  await switchOver(switching)
  await endSwitch(switching)
}

/** The server may take a moment to notice that the client is gone. */
const waitMs = 10_000
const pollMs = 200

async function isCommitted(url: string, transaction: string | null, directory: string): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const state = await committedPostgres(url, transaction ?? '')
    if (state === 'committed') return true
    if (state === 'aborted') return false
    if (state !== 'in progress' || waitedMs >= waitMs) throw unknownState(directory, state)
    await sleep(pollMs)
  }
}

function otherSettings(directory: string, { engine, location }: Restoring): SettingsError {
  const database = engine === 'pglite' ? 'without DATABASE_URL' : 'with its DATABASE_URL'
  return new SettingsError(
    `A restore was broken off while it switched installations (${restoringPath(directory)}): ` +
      `start once ${database}, and with the files in ${location}, so that the switch is finished.`,
  )
}

function unknownState(directory: string, state: string | undefined): SettingsError {
  const path = restoringPath(directory)
  return new SettingsError(
    state === undefined
      ? `A restore was broken off (${path}), and this database doesn't know its transaction: ` +
          'set DATABASE_URL to the one that it was restored into; ' +
          `or, to restore anew, remove ${path} and run the restore with --replace.`
      : `A restore was broken off (${path}), and its transaction still runs in the database: ` +
          'try again in a moment.',
  )
}
