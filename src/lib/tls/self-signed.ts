/** A self-signed certificate for development, in the data directory. */
import { generateKeyPair, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Certificate, type CertificateFiles, checkCertificate, readCertificate } from './certificate.ts'

const dayMs = 24 * 60 * 60 * 1000
const validMs = 365 * dayMs
const renewMs = 30 * dayMs

/** Its files in the data directory. */
export function selfSignedFiles(directory: string): CertificateFiles {
  return {
    certFile: join(directory, 'tls', 'self-signed.crt'),
    keyFile: join(directory, 'tls', 'self-signed.key'),
  }
}

/**
 * Creates the certificate for `hosts` (names and addresses) unless one exists that is valid for another
 * month.
 */
export async function keepSelfSigned(files: CertificateFiles, hosts: string[], nowMs: number): Promise<void> {
  if (await isGood(files, hosts, nowMs)) return
  const { cert, key } = await makeSelfSigned(hosts, nowMs)
  await mkdir(join(files.keyFile, '..'), { recursive: true, mode: 0o700 })
  await replace(files.keyFile, key, 0o600)
  await replace(files.certFile, cert, 0o644)
}

async function isGood(files: CertificateFiles, hosts: string[], nowMs: number): Promise<boolean> {
  try {
    const found = await readCertificate(files)
    checkCertificate(found, files)
    const cert = new X509Certificate(found.cert)
    const covers = (host: string) => (isIP(host) ? cert.checkIP(host) : cert.checkHost(host)) !== undefined
    return (
      Date.parse(cert.validTo) - renewMs > nowMs && Date.parse(cert.validFrom) <= nowMs && hosts.every(covers)
    )
  } catch {
    return false
  }
}

async function makeSelfSigned(hosts: string[], nowMs: number): Promise<Certificate> {
  // Imported here, since it is large and rarely needed.
  const { default: forge } = await import('node-forge')
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // A positive serial number of limited length (RFC 5280, section 4.1.2.2).
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(nowMs - dayMs)
  certificate.validity.notAfter = new Date(nowMs + validMs)
  const subject = [{ name: 'commonName', value: 'svc development' }]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })),
    },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate), key: privateKey }
}

/** Replaces the file atomically, for concurrent readers. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, text, { mode, flag: 'wx' })
  await rename(draft, file)
}
