/** Certificates for tests. */
import { createSelfSigned } from '../../src/platform/certificates/x509/self-signed.ts'

/** PEM texts of a self-signed certificate for a name, and of its key; of a moment `aheadMs` from now. */
export function newCertificate(name: string, aheadMs = 0): Promise<{ cert: string; key: string }> {
  return createSelfSigned({ name, subject: `Test ${name}` }, Date.now() + aheadMs)
}
