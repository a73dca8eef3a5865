/** SSHFP: fingerprints of the keys of an SSH server (RFC 4255, section 3.1; RFC 6594; RFC 7479). */
import { hexRule } from './hex-data.ts'
import type { TypeRule } from './rule.ts'

export const sshfp: TypeRule = hexRule({
  fields: [
    { name: 'an algorithm', bytes: 1 },
    { name: 'a type of fingerprint', bytes: 1 },
  ],
  data: 'a fingerprint',
  example: '4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789',
})
