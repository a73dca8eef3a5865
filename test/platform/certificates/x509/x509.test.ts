import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createChallengeCertificate } from '../../../../src/platform/certificates/x509/challenge-certificate.ts'
import { generateKey } from '../../../../src/platform/certificates/x509/keys.ts'
import { renewalIdOf } from '../../../../src/platform/certificates/x509/renewal-id.ts'
import { createSigningRequest } from '../../../../src/platform/certificates/x509/signing-request.ts'

const nowMs = Date.now()

const openssl = (args: string[], input: Buffer | string) =>
  execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'pipe'] }).toString()

describe('a signing request', () => {
  it('names all names, and is signed by its key, as OpenSSL reads it', async () => {
    const request = createSigningRequest(['www.example.com', '*.example.com'], await generateKey())
    const text = openssl(['req', '-inform', 'der', '-noout', '-text', '-verify'], request)
    expect(text).toContain('DNS:www.example.com, DNS:*.example.com')
    expect(text).toContain('Public-Key: (256 bit)')
    expect(text).toContain('ecdsa-with-SHA256')
  })
})

describe('the certificate of a TLS-ALPN-01 challenge', () => {
  it('is for the name, and has the digest of the key authorization in a critical extension', async () => {
    const { cert, key } = await createChallengeCertificate('www.example.com', 'token.thumbprint', nowMs)
    const parsed = new X509Certificate(cert)
    expect(parsed.subjectAltName).toBe('DNS:www.example.com')
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    const text = openssl(['x509', '-noout', '-text'], cert)
    const digest = createHash('sha256').update('token.thumbprint').digest('hex').toUpperCase()
    const dump = openssl(['asn1parse'], cert)
    expect(text).toMatch(/1\.3\.6\.1\.5\.5\.7\.1\.31: critical/)
    expect(dump).toContain(`[HEX DUMP]:0420${digest}`)
  })
})

describe('the id of a certificate for renewals', () => {
  // The example of RFC 9773, appendix A.
  const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`

  it('has the issuer’s key and the serial number', () => {
    expect(renewalIdOf(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  })

  it('is unknown without the issuer’s key', async () => {
    const { cert } = await createChallengeCertificate('www.example.com', 'token.thumbprint', nowMs)
    expect(renewalIdOf(cert)).toBeUndefined()
  })
})
