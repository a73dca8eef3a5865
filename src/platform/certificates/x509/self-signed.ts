/** Certificates that are signed by their own key (RFC 5280). */
import { createPrivateKey, randomBytes } from 'node:crypto'
import { integer, type Node, oid, sequence, set, tagged, toDer, utcTime, utf8 } from './asn1.ts'
import { subjectAltNames } from './extensions.ts'
import { generateKey, publicKeyInfo, signatureAlgorithm, signatureOf } from './keys.ts'

const commonName = '2.5.4.3'
const dayMs = 24 * 60 * 60 * 1_000

type Wanted = { name: string; subject: string; extensions?: Node[] }

/** PEM texts of a certificate for a DNS name, valid from yesterday to tomorrow, and of its key. */
export async function createSelfSigned(
  { name, subject, extensions = [] }: Wanted,
  nowMs: number,
): Promise<{ cert: string; key: string }> {
  const key = await generateKey()
  const privateKey = createPrivateKey(key)
  const issuer = sequence(set(sequence(oid(commonName), utf8(subject))))
  const version3 = Buffer.from([2])
  const content = sequence(
    tagged(0, integer(version3)),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    signatureAlgorithm(),
    issuer,
    sequence(utcTime(nowMs - dayMs), utcTime(nowMs + dayMs)),
    issuer,
    publicKeyInfo(privateKey),
    tagged(3, sequence(subjectAltNames([name]), ...extensions)),
  )
  const der = toDer(sequence(content, signatureAlgorithm(), signatureOf(toDer(content), privateKey)))
  return { cert: pem('CERTIFICATE', der), key }
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
