/** Certificates as PEM texts: parsed, and checked before they are used. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { coversName } from '../../lib/tls/covered-names.ts'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

const maxCertificates = 10

export type Validity = { notBeforeMs: number; notAfterMs: number }

/**
 * The validity of the first certificate of a chain. `names` have to be among its own, and `key` (PEM) has to
 * be its key.
 * @throws Error that says what is wrong, to follow "the certificate".
 */
export function checkChain(chain: string, key: string, names: string[]): Validity {
  const certificates = parseChain(chain)
  const [leaf, ...issuers] = certificates
  if (!leaf) throw new Error('has no PEM block "CERTIFICATE"')
  checkKey(leaf, key)
  const missing = names.find((name) => !coversName(leaf, name))
  if (missing !== undefined) throw new Error(`is not for ${missing}`)
  let last = leaf
  for (const issuer of issuers) {
    if (!last.checkIssued(issuer) || !last.verify(issuer.publicKey))
      throw new Error(`has issuers in another order: ${subjectOf(last)} is not followed by its issuer`)
    last = issuer
  }
  return { notBeforeMs: Date.parse(leaf.validFrom), notAfterMs: Date.parse(leaf.validTo) }
}

function parseChain(chain: string): X509Certificate[] {
  const blocks = chain.match(block) ?? []
  if (blocks.length > maxCertificates) throw new Error(`has more than ${maxCertificates} issuers`)
  return blocks.map((text) => {
    try {
      return new X509Certificate(text)
    } catch {
      throw new Error('is damaged: a PEM block can not be parsed')
    }
  })
}

function checkKey(leaf: X509Certificate, key: string): void {
  let parsed: ReturnType<typeof createPrivateKey>
  try {
    parsed = createPrivateKey(key)
  } catch {
    throw new Error('needs a private key in PEM, without a passphrase')
  }
  if (!leaf.checkPrivateKey(parsed)) throw new Error('belongs to another key')
}

function subjectOf({ subject }: X509Certificate): string {
  return subject.replaceAll('\n', ', ')
}
