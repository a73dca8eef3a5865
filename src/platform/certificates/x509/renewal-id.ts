/** The id of a certificate where its authority is asked when to renew it (RFC 9773, section 4.1). */
import { X509Certificate } from 'node:crypto'
import { bytesOf, fromDer, type Node, oidText, partsOf } from './asn1.ts'

const authorityKeyIdentifier = '2.5.29.35'

/** `cert`: PEM. Undefined for a certificate that doesn't name its issuer's key. */
export function renewalIdOf(cert: string): string | undefined {
  const [content] = partsOf(fromDer(new X509Certificate(cert).raw)) ?? []
  const fields = partsOf(content) ?? []
  // After the version, which is tagged [0].
  const serial = bytesOf(fields[1])
  const keyId = keyIdOf(extensionsOf(fields))
  return serial && keyId && `${keyId.toString('base64url')}.${serial.toString('base64url')}`
}

/** Extensions are tagged [3], after the subject's key. */
function extensionsOf(fields: Node[]): Node[] {
  const tagged = fields.slice(7).find(({ type }) => type === 3)
  return partsOf(partsOf(tagged)?.[0]) ?? []
}

function keyIdOf(extensions: Node[]): Buffer | undefined {
  for (const each of extensions) {
    const parts = partsOf(each) ?? []
    if (oidText(parts[0]) !== authorityKeyIdentifier) continue
    const content = bytesOf(parts.at(-1))
    // keyIdentifier is [0].
    return content && bytesOf(partsOf(fromDer(content))?.find(({ type }) => type === 0))
  }
  return undefined
}
