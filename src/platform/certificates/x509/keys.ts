/** Keys of certificates and accounts: P-256. */
import { createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { bits, fromDer, type Node, oid, sequence } from './asn1.ts'

/** A new private key, PKCS #8 PEM. */
export async function generateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return privateKey
}

/** SubjectPublicKeyInfo (RFC 5280, section 4.1). */
export function publicKeyInfo(privateKey: KeyObject): Node {
  return fromDer(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))
}

/** ecdsa-with-SHA256 (RFC 5758, section 3.2). */
export function signatureAlgorithm(): Node {
  return sequence(oid('1.2.840.10045.4.3.2'))
}

export function signatureOf(content: Buffer, privateKey: KeyObject): Node {
  return bits(sign('sha256', content, privateKey))
}
