/** TLSA: the certificates or keys of a TLS server (RFC 6698, section 2). */
import { hexRule } from './hex-data.ts'
import type { TypeRule } from './rule.ts'

/** The length of a hash isn't checked: private matching types and shortened samples are in use. */
export const tlsa: TypeRule = hexRule({
  fields: [
    { name: 'a usage', bytes: 1 },
    { name: 'a selector', bytes: 1 },
    { name: 'a matching type', bytes: 1 },
  ],
  data: 'a certificate or hash',
  example: '3 1 1 0d6fce3d0ee1c04a9bd2c1d8c1e9c1fd4c8b3a0e7fb1d2c2b1a0f9e8d7c6b5a4',
})
