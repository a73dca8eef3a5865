/** Notices when the files of a certificate change, however they are replaced. */
import type { Logger } from '../../log/logger.ts'
import { SettingsError } from '../../settings/error.ts'
import { type Certificate, type CertificateFiles, checkCertificate, readCertificate } from './certificate.ts'

type Watch = {
  files: CertificateFiles
  /** The one in use. */
  certificate: Certificate
  /** Looks after the files themselves, before they are read. */
  renew(): Promise<void>
  /** Takes a new one that has been checked. */
  use(certificate: Certificate): void
  /** How often the files are read, in milliseconds: they are small, and no event tells of every way to swap them. */
  everyMs: number
  log: Logger
}

/**
 * Reads the files again and again; what doesn't fit together, such as a pair that is half written, is told in the log
 * once and leaves the one in use as it is. Returns a function that ends it.
 */
export function watchCertificate({ files, certificate, renew, use, everyMs, log }: Watch): () => void {
  let inUse = certificate
  let told: string | undefined
  let timer = setTimeout(look, everyMs).unref()
  let ended = false

  async function look(): Promise<void> {
    try {
      await renew()
      const found = await readCertificate(files)
      if (found.cert !== inUse.cert || found.key !== inUse.key) {
        checkCertificate(found, files)
        if (ended) return
        use(found)
        inUse = found
        log.info('The certificate was replaced.')
      }
      told = undefined
    } catch (error) {
      const problem = error instanceof SettingsError ? error.message : String(error)
      if (problem !== told) log.warn(`${problem} The certificate that is in use stays.`)
      told = problem
    }
    if (!ended) timer = setTimeout(look, everyMs).unref()
  }

  return () => {
    ended = true
    clearTimeout(timer)
  }
}
