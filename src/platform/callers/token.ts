/**
 * The format of tokens: how each kind begins, as `svc_` API keys, a secret, and a checksum that catches typos
 * before any lookup.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { asSecret, type Secret } from '../../lib/secret.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** How API keys begin. */
const keyStart = 'svc_'

/** 32 base62 characters are 190.5 bits. */
const secretLength = 32
const checksumLength = 6
const endPattern = new RegExp(`^([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`)

/** A new random token, by default an API key. */
export function newToken(start: string = keyStart): Secret {
  const secret = randomBase62(secretLength)
  return asSecret(`${start}${secret}${checksum(secret)}`)
}

/** The part of an API key that may be displayed: `svc_`, the first 6 characters of its secret, and `…`. */
export function tokenPrefix(token: string): string {
  return `${token.slice(0, keyStart.length + 6)}…`
}

/** Whether the text has the format of a token that begins so, and whether its checksum is right. */
export function inspectToken(text: string, start: string = keyStart): 'valid' | 'mistyped' | 'foreign' {
  const end = text.startsWith(start) ? text.slice(start.length) : ''
  const [, secret, tail] = endPattern.exec(end) ?? []
  if (secret === undefined || tail === undefined) return 'foreign'
  return checksum(secret) === tail ? 'valid' : 'mistyped'
}

/** The stored SHA-256 of a token, in hex. With 190 random bits no slow hash is needed. */
export function hashToken(token: Secret): string {
  return hash('sha256', token)
}

/** CRC-32 of the secret as 6 base62 digits, as GitHub's tokens have it. */
function checksum(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let i = 0; i < checksumLength; i += 1) {
    digits = `${base62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: rejecting the rest keeps the distribution uniform.
      if (byte < 248 && text.length < length) text += base62[byte % 62]
    }
  }
  return text
}
