/** The installation's master key, and the keys derived from it for each purpose. */
import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { readIfAny } from './read-if-any.ts'

const keyBytes = 32

/** The purpose of a derived key; each has its own, so that values of one are useless for another. */
export type KeyPurpose =
  | 'env'
  | 'uploads'
  | 'edge-cookies'
  | 'sessions'
  | 'webhooks'
  | 'check'
  | 'certificates'
  | 'second-factors'
  | 'passkeys'

/**
 * The 32 bytes in `encryption.key` of the data directory (base64, a newline), generated if there is no such
 * file, and durable before this returns.
 * @throws SettingsError when the file has other content.
 */
export async function loadEncryptionKey(directory: string): Promise<Buffer> {
  return (await readEncryptionKey(directory)) ?? placeEncryptionKey(directory, randomBytes(keyBytes))
}

/**
 * The same, undefined if there is no such file. Durable, too: its creator may have died before that.
 * @throws SettingsError when the file has other content.
 */
export async function readEncryptionKey(directory: string): Promise<Buffer | undefined> {
  const path = encryptionKeyPath(directory)
  const text = await readIfAny(path)
  if (text === undefined) return undefined
  await sync(directory)
  const key = decodeEncryptionKey(text)
  if (key) return key
  throw new SettingsError(
    `${path} should hold 32 bytes in base64: ` +
      "restore it from a backup, since values encrypted with it can't be decrypted without it.",
  )
}

/** Writes `key` to the file, durably, unless there is one. Resolves to the key that is there then. */
async function placeEncryptionKey(directory: string, key: Buffer): Promise<Buffer> {
  await writeEncryptionKey(encryptionKeyPath(directory), key)
  return (await readEncryptionKey(directory)) ?? key
}

/** The path of the file with the key. */
export function encryptionKeyPath(directory: string): string {
  return join(directory, 'encryption.key')
}

/** The text of a file with the key. */
export function encryptionKeyText(key: Buffer): string {
  return `${key.toString('base64')}\n`
}

/** The key in the text of such a file; undefined for other text. */
export function decodeEncryptionKey(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/]{43}=\n?$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** The check value by which the database recognizes its key, made with the key derived for that. */
export function encryptionCheck(checkKey: Buffer): string {
  return createHmac('sha256', checkKey).update('svc').digest('base64url')
}

/** The 32-byte key for `purpose`: HKDF with SHA-256 (RFC 5869), without a salt, the purpose as info. */
export function deriveKey(master: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', purpose, keyBytes))
}

/** Writes a file with the key, unless there is one; it is durable once its directory is. */
export async function writeEncryptionKey(path: string, key: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(encryptionKeyText(key))
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a rename, this never replaces a key.
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
