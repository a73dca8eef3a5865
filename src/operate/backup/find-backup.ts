/** Finds the backups of a place, and reads their descriptions. */
import { text } from 'node:stream/consumers'
import type { Place } from './backup-place.ts'
import { type Description, descriptionFile, parseDescription } from './description.ts'
import { BackupError } from './error.ts'

export type FoundBackup = { backup: string; description: Description }

/** The names of the whole backups, the newest first. */
export async function listWhole(place: Place): Promise<string[]> {
  const names = (await place.list()).reverse()
  const whole = await Promise.all(names.map((name) => place.has(name, descriptionFile)))
  return names.filter((_, index) => whole[index])
}

/**
 * The backup of that name, or the newest whole one.
 * @throws BackupError if there is none, or its description is damaged.
 */
export async function findBackup(place: Place, name: string | undefined): Promise<FoundBackup> {
  const whole = await listWhole(place)
  const backup = name ?? whole[0]
  if (backup === undefined) {
    const begun = (await place.list()).length > 0 ? ' Those that are there were broken off.' : ''
    throw new BackupError(`There is no backup in ${place.location}.${begun}`)
  }
  if (!whole.includes(backup)) {
    const others = whole.length > 0 ? `: there are ${whole.join(', ')}` : ''
    throw new BackupError(`There is no whole backup ${backup} in ${place.location}${others}.`)
  }
  return { backup, description: await readDescription(place, backup) }
}

/** @throws BackupError if it is missing or damaged. */
export async function readDescription(place: Place, backup: string): Promise<Description> {
  const path = `${place.location.replace(/\/$/, '')}/${backup}/${descriptionFile}`
  return parseDescription(await text(place.read(backup, descriptionFile)), path)
}
