/**
 * The encryption key of the installation: where it is, and whether it is the one that a backup belongs to.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Settings } from '../../lib/settings/variables.ts'
import {
  decodeEncryptionKey,
  deriveKey,
  encryptionCheck,
  encryptionKeyPath,
  encryptionKeyText,
  readEncryptionKey,
} from '../../stores/data-dir/encryption-key.ts'
import type { Place } from './backup-place.ts'
import type { Description } from './description.ts'
import { BackupError } from './error.ts'

const keyFile = 'encryption.key'

/** The key in the settings, or in the data directory. */
async function ownKey(settings: Settings): Promise<Buffer | undefined> {
  const { SVC_ENCRYPTION_KEY: set, SVC_DATA_DIR: directory } = settings
  return set === undefined ? readEncryptionKey(directory) : Buffer.from(set, 'base64')
}

/** Where the key is, for people. */
export function keyLocation({ SVC_ENCRYPTION_KEY: set, SVC_DATA_DIR: directory }: Settings): string {
  return set === undefined ? encryptionKeyPath(directory) : 'SVC_ENCRYPTION_KEY'
}

/** The check value by which the database recognizes its key. */
export function checkOf(key: Buffer): string {
  return encryptionCheck(deriveKey(key, 'check'))
}

/** Adds the key to the backup. @throws BackupError if it isn't the one of the database. */
export async function backUpKey(
  settings: Settings,
  place: Place,
  backup: string,
  check: string,
): Promise<void> {
  const key = await ownKey(settings)
  if (key === undefined || checkOf(key) !== check)
    throw new BackupError(
      `The key in ${keyLocation(settings)} is not the one of the database, so it can't be included.`,
    )
  await place.write(backup, keyFile, Readable.from([Buffer.from(encryptionKeyText(key))]))
}

/** The handling of the key in a restore. */
export type KeyPlan = {
  /** The key, if it is another than that of the backup. */
  newKey: Buffer | undefined
  /** The key that has to be in the data directory instead of what is there, if any has. */
  placed: Buffer | undefined
}

type Choice = {
  /** Whether another key in the data directory is put aside. */
  replace: boolean
  /** Whether to do without the key of the backup. */
  newKey: boolean
}

/**
 * The key of the installation that is restored: the one in the settings, in the data directory or in the
 * backup.
 * @throws BackupError unless it is the key of the backup, or a new one was chosen.
 */
export async function planKey(
  settings: Settings,
  { place, backup, description }: { place: Place; backup: string; description: Description },
  { replace, newKey }: Choice,
): Promise<KeyPlan> {
  const { SVC_ENCRYPTION_KEY: set } = settings
  const { check, included } = description.encryption_key
  const own = await ownKey(settings)
  if (own !== undefined && checkOf(own) === check) return { newKey: undefined, placed: undefined }
  if (newKey) {
    const key = own ?? randomBytes(32)
    return { newKey: key, placed: own ? undefined : key }
  }
  if (included && set === undefined && (own === undefined || replace)) {
    const path = `${backup}/${keyFile}`
    const key = decodeEncryptionKey(await text(place.read(backup, keyFile)))
    if (key === undefined || checkOf(key) !== check)
      throw new BackupError(`${path} is damaged: it is not the key of this backup.`)
    return { newKey: undefined, placed: key }
  }
  throw own === undefined ? keyNeeded(settings) : otherKey(settings, included)
}

const lost =
  'If the key is lost, --new-key restores without the values of variables and without webhook secrets.'

function keyNeeded({ SVC_DATA_DIR: directory }: Settings): BackupError {
  const where = `in ${encryptionKeyPath(directory)}, or set SVC_ENCRYPTION_KEY`
  return new BackupError(
    `The backup does not contain the encryption key of the installation: put it ${where}. ${lost}`,
  )
}

function otherKey(settings: Settings, included: boolean): BackupError {
  const inBackup =
    included && settings.SVC_ENCRYPTION_KEY === undefined ? ' --replace takes the one in the backup.' : ''
  return new BackupError(
    `The key in ${keyLocation(settings)} is not the encryption key of this backup: ` +
      `put that one there first.${inBackup} ${lost}`,
  )
}
