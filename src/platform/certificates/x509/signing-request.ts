/** Certificate signing requests (PKCS #10, RFC 2986). */
import { createPrivateKey } from 'node:crypto'
import { integer, oid, sequence, set, tagged, toDer } from './asn1.ts'
import { subjectAltNames } from './extensions.ts'
import { publicKeyInfo, signatureAlgorithm, signatureOf } from './keys.ts'

const extensionRequest = '1.2.840.113549.1.9.14'

/**
 * DER, for these DNS names, by a P-256 key in PEM. The subject is empty: authorities read the names alone.
 */
export function createSigningRequest(names: string[], key: string): Buffer {
  const privateKey = createPrivateKey(key)
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(),
    publicKeyInfo(privateKey),
    tagged(0, sequence(oid(extensionRequest), set(sequence(subjectAltNames(names))))),
  )
  return toDer(sequence(info, signatureAlgorithm(), signatureOf(toDer(info), privateKey)))
}
