import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashToken, inspectToken, newToken, tokenPrefix } from '../../../src/platform/callers/token.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// Their checksums were computed with another implementation of CRC-32.
const known = ['svc_000000000000000000000000000000002wjyrI', 'svc_abcdefghijklmnopqrstuvwxyzABCDEF1mVgZW']

describe('a new token', () => {
  it('is svc_, 32 base62 characters of secret and 6 of checksum', () => {
    expect(newToken()).toMatch(/^svc_[0-9A-Za-z]{38}$/)
  })

  it('has a valid checksum', () => {
    for (let i = 0; i < 100; i += 1) expect(inspectToken(newToken())).toBe('valid')
  })

  it('is never generated twice, and uses every character about equally often', () => {
    const tokens = Array.from({ length: 2_000 }, newToken)
    expect(new Set(tokens).size).toBe(tokens.length)
    const secrets = tokens.map((token) => token.slice(4, 36)).join('')
    const mean = secrets.length / 62
    for (const character of base62) {
      const count = secrets.split(character).length - 1
      expect(count, character).toBeGreaterThan(mean * 0.8)
      expect(count, character).toBeLessThan(mean * 1.2)
    }
  })
})

describe('the checksum of a token', () => {
  it('is the CRC-32 of the secret in base62', () => {
    for (const token of known) expect(inspectToken(token)).toBe('valid')
  })

  it('detects any one changed character', () => {
    const token = newToken()
    for (let at = 4; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(inspectToken(token.slice(0, at) + other + token.slice(at + 1))).toBe('mistyped')
    }
  })

  it('detects two swapped neighbours', () => {
    const token = newToken()
    for (let at = 4; at < 35; at += 1) {
      const [a = '', b = ''] = token.slice(at, at + 2)
      if (a === b) continue
      expect(inspectToken(token.slice(0, at) + b + a + token.slice(at + 2))).toBe('mistyped')
    }
  })
})

describe('text of another shape', () => {
  const token = newToken()
  it.each([
    ['nothing', ''],
    ['only the prefix', 'svc_'],
    ['a token cut off', token.slice(0, -1)],
    ['a token with extra characters', `${token}0`],
    ['a token with a trailing line break', `${token}\n`],
    ['another prefix', `ghp_${token.slice(4)}`],
    ['the prefix in capitals', `SVC_${token.slice(4)}`],
    ['a character outside base62', `${token.slice(0, -1)}-`],
  ])('is foreign: %s', (_, text) => {
    expect(inspectToken(text)).toBe('foreign')
  })
})

it('displays a token as its prefix and the first 6 characters of its secret', () => {
  expect(tokenPrefix('svc_abcdefghijklmnopqrstuvwxyzABCDEF000000')).toBe('svc_abcdef…')
})

it('stores a token as its SHA-256 in hex', () => {
  const token = newToken()
  expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'))
})
