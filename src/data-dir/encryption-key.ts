/** The installation's master key, and the keys derived from it for each purpose. */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from '../settings/error.ts'
import { hasCode, readIfAny } from './read-if-any.ts'

const keyBytes = 32

/** The purpose of a derived key; each has its own, so that values of one are useless for another. */
export type KeyPurpose = 'env' | 'uploads' | 'edge-cookies' | 'sessions' | 'webhooks' | 'check'

/**
 * The 32 bytes in `encryption.key` of the data directory (base64, a newline), generated if there is no such file, and
 * durable before this returns.
 * @throws SettingsError when the file has other content.
 */
export async function loadEncryptionKey(directory: string): Promise<Buffer> {
  const path = join(directory, 'encryption.key')
  if ((await readIfAny(path)) === undefined) await createKey(path)
  // Also for an existing key: its creator may have died before this, and from now on values depend on it.
  await sync(directory)
  // Reads the file again: another process may have been first.
  const text = (await readIfAny(path)) ?? ''
  if (!/^[A-Za-z0-9+/]{43}=\n?$/.test(text)) {
    throw new SettingsError(
      `${path} should hold 32 bytes in base64: restore it from a backup, since values encrypted with it can't be decrypted without it.`,
    )
  }
  return Buffer.from(text, 'base64')
}

/** The 32-byte key for `purpose`: HKDF with SHA-256 (RFC 5869), without a salt, the purpose as info. */
export function deriveKey(master: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', purpose, keyBytes))
}

async function createKey(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`)
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
