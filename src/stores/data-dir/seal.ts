/** Encrypts stored values, so that the database alone reveals nothing. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { asSecret, type Secret } from '../../lib/secret.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const version = 'v1.'

/**
 * Encrypts a value with AES-256-GCM (NIST SP 800-38D), bound to its place so that it can't be moved to
 * another. Format: `v1.` and base64url of 12 bytes nonce, ciphertext, 16 bytes tag.
 */
export function seal(key: Buffer, place: string, value: Secret): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}${sealed.toString('base64url')}`
}

/** Decrypts a value that was sealed with this key for this place. @throws Error for anything else. */
export function unseal(key: Buffer, place: string, sealed: string): Secret {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
  if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) {
    throw new Error('A stored value is not sealed.')
  }
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const opened = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8')
  return asSecret(opened + decipher.final('utf8'))
}
