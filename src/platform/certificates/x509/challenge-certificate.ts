/** The certificate that a server shows for TLS-ALPN-01 (RFC 8737, section 3). */
import { createHash } from 'node:crypto'
import { octets } from './asn1.ts'
import { extension } from './extensions.ts'
import { createSelfSigned } from './self-signed.ts'

const acmeIdentifier = '1.3.6.1.5.5.7.1.31'

/** PEM texts of a self-signed certificate and its key. `keyAuthorization` as in RFC 8555, section 8.1. */
export function createChallengeCertificate(
  name: string,
  keyAuthorization: string,
  nowMs: number,
): Promise<{ cert: string; key: string }> {
  const digest = createHash('sha256').update(keyAuthorization).digest()
  const extensions = [extension(acmeIdentifier, octets(digest), true)]
  return createSelfSigned({ name, subject: 'svc ACME challenge', extensions }, nowMs)
}
