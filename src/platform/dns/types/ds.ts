/** DS: the keys with which a delegated zone is signed (RFC 4034, section 5). */
import { hexRule } from './hex-data.ts'
import { isWildcard, type TypeRule } from './rule.ts'

/** The bytes of digests by type: SHA-1, SHA-256, GOST R 34.11-94 and SHA-384. */
const digestBytes = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
])

const data = hexRule({
  fields: [
    { name: 'a key tag', bytes: 2 },
    { name: 'an algorithm', bytes: 1 },
    { name: 'a digest type', bytes: 1 },
  ],
  data: 'a digest',
  example: '60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
  check([, , type = 0], digest) {
    const bytes = digestBytes.get(type) ?? digest.length
    if (digest.length === bytes) return undefined
    return { problem: `must have a digest of ${bytes} bytes for digest type ${type}, not ${digest.length}` }
  },
})

export const ds: TypeRule = {
  ...data,
  // Without a delegation there is no zone whose keys it could name.
  needs: 'NS',
  check(record, zone) {
    if (record.fqdn === zone) {
      return {
        path: 'name',
        message: 'must be below the domain: the DS records of the domain itself are at its registrar',
      }
    }
    if (isWildcard(record)) return { path: 'name', message: 'must not be a wildcard for DS' }
    return undefined
  },
}
