/** Opens the certificate of the settings, and reloads it. */
import { X509Certificate } from 'node:crypto'
import type { Logger } from '../log/logger.ts'
import type { Settings } from '../settings/variables.ts'
import { type Certificate, type CertificateFiles, checkCertificate, readCertificate } from './certificate.ts'
import { coversName } from './covered-names.ts'
import { keepSelfSigned, selfSignedFiles } from './self-signed.ts'
import { watchCertificate } from './watch-certificate.ts'

export type OpenCertificate = {
  certificate: Certificate
  /** Calls `use` with the new one whenever its files change; returns a function that stops watching. */
  watch(use: (certificate: Certificate) => void, log: Logger, everyMs: number): () => void
}

/** Reads it, after creating a self-signed one if set. @throws SettingsError when it can't be used. */
export async function openCertificate(settings: Settings, nowMs: () => number): Promise<OpenCertificate> {
  const files = filesOf(settings)
  const hosts = hostsOf(settings)
  const renew = async () => {
    if (settings.SVC_TLS_SELF_SIGNED) await keepSelfSigned(files, hosts, nowMs())
  }
  await renew()
  const certificate = await readCertificate(files)
  checkCertificate(certificate, files)
  return {
    certificate,
    watch: (use, log, everyMs) => watchCertificate({ files, certificate, renew, use, everyMs, log }),
  }
}

function filesOf({ SVC_DATA_DIR, SVC_TLS_CERT, SVC_TLS_KEY }: Settings): CertificateFiles {
  if (SVC_TLS_CERT === undefined || SVC_TLS_KEY === undefined) return selfSignedFiles(SVC_DATA_DIR)
  return { certFile: SVC_TLS_CERT, keyFile: SVC_TLS_KEY }
}

/** The names and addresses by which a developer's browser may connect. */
function hostsOf({ SVC_HOST, SVC_URL }: Settings): string[] {
  const url = SVC_URL === undefined ? [] : [new URL(SVC_URL).hostname.replace(/^\[|\]$/g, '')]
  const everywhere = ['0.0.0.0', '::']
  return [...new Set(['localhost', '127.0.0.1', '::1', SVC_HOST, ...url])].filter(
    (host) => !everywhere.includes(host),
  )
}

export type EdgeCertificate = {
  /** The one in use. */
  certificate(): Certificate
  /** Whether it is for a name. */
  covers(name: string): boolean
  watch(use: (certificate: Certificate) => void, log: Logger): () => void
}

const watchEveryMs = 2_000

/**
 * The operator's own certificate of the sites; undefined if none is set.
 * @throws SettingsError when it can't be used.
 */
export async function openEdgeCertificate({
  SVC_EDGE_TLS_CERT: certFile,
  SVC_EDGE_TLS_KEY: keyFile,
}: Settings): Promise<EdgeCertificate | undefined> {
  if (certFile === undefined || keyFile === undefined) return undefined
  const files = { certFile, keyFile, settings: { cert: 'SVC_EDGE_TLS_CERT', key: 'SVC_EDGE_TLS_KEY' } }
  let certificate = await readCertificate(files)
  checkCertificate(certificate, files)
  let parsed = new X509Certificate(certificate.cert)
  return {
    certificate: () => certificate,
    covers: (name) => coversName(parsed, name),
    watch: (use, log) =>
      watchCertificate({
        files,
        certificate,
        log,
        everyMs: watchEveryMs,
        renew: async () => {},
        use(next) {
          certificate = next
          parsed = new X509Certificate(next.cert)
          use(next)
        },
      }),
  }
}
