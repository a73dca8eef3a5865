/** A certificate and its key, read from files and validated. */
import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { SettingsError } from '../settings/error.ts'

/** PEM texts; the certificate's issuers may follow it. */
export type Certificate = { cert: string; key: string }

/** Paths of both files. */
export type CertificateFiles = {
  certFile: string
  keyFile: string
  /** The settings that name them. */
  settings?: { cert: string; key: string }
}

const apiSettings = { cert: 'SVC_TLS_CERT', key: 'SVC_TLS_KEY' }

/**
 * The contents of the files, unvalidated.
 * @throws SettingsError naming the setting whose file can't be read.
 */
export async function readCertificate({
  certFile,
  keyFile,
  settings = apiSettings,
}: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(settings.cert, certFile), read(settings.key, keyFile)])
  return { cert, key }
}

/** @throws SettingsError naming the setting whose file a server can't use, and what to do. */
export function checkCertificate(
  certificate: Certificate,
  { certFile, keyFile, settings = apiSettings }: CertificateFiles,
): void {
  const cert = parse(
    () => new X509Certificate(certificate.cert),
    `${settings.cert} should be a PEM file with a certificate, followed by its issuers: ${certFile} is not.`,
  )
  const key = parse(
    () => createPrivateKey(certificate.key),
    `${settings.key} should be a PEM file with a private key without a passphrase: ${keyFile} is not.`,
  )
  if (!cert.checkPrivateKey(key)) {
    throw new SettingsError(
      `${settings.key} should be the key of ${settings.cert}: ` +
        `${keyFile} belongs to another certificate than ${certFile}.`,
    )
  }
  try {
    createSecureContext(secureContext(certificate))
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(
      `${settings.cert} should be a certificate that can be served, but ${certFile} is refused: ${detail}.`,
    )
  }
}

/**
 * TLS 1.2 and later, with forward secrecy and authenticated encryption only (Mozilla's intermediate list
 * without DHE).
 */
export function secureContext(certificate: Certificate | undefined): SecureContextOptions {
  return {
    ...certificate,
    minVersion: 'TLSv1.2',
    ciphers,
    ecdhCurve: 'X25519:P-256:P-384',
    // Renegotiation is costly, and gone since TLS 1.3.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}

const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

async function read(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const detail = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new SettingsError(`${name} should be a PEM file, but ${file} can't be read (${detail}).`)
  }
}

function parse<T>(read: () => T, problem: string): T {
  try {
    return read()
  } catch {
    throw new SettingsError(problem)
  }
}
