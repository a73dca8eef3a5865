/** The format of API keys: `svc_`, a secret, and a checksum that catches typos before any lookup. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const tokenStart = 'svc_'

/** 32 base62 characters are 190.5 bits. */
const secretLength = 32
const checksumLength = 6
const tokenPattern = new RegExp(
  `^${tokenStart}([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
)

/** A new random token. */
export function newToken(): string {
  const secret = randomBase62(secretLength)
  return `${tokenStart}${secret}${checksum(secret)}`
}

/** The part of a token that may be displayed: `svc_`, the first 6 characters of its secret, and `…`. */
export function tokenPrefix(token: string): string {
  return `${token.slice(0, tokenStart.length + 6)}…`
}

/** Whether the text has a token's format, and whether its checksum is right. */
export function inspectToken(text: string): 'valid' | 'mistyped' | 'foreign' {
  const [, secret, tail] = tokenPattern.exec(text) ?? []
  if (secret === undefined || tail === undefined) return 'foreign'
  return checksum(secret) === tail ? 'valid' : 'mistyped'
}

/** The stored SHA-256 of a token, in hex. With 190 random bits no slow hash is needed. */
export function hashToken(token: string): string {
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
