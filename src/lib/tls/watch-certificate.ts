/** Polls the files of a certificate for changes, however they are replaced. */
import type { Logger } from '../log/logger.ts'
import { SettingsError } from '../settings/error.ts'
import { type Certificate, type CertificateFiles, checkCertificate, readCertificate } from './certificate.ts'

type Watch = {
  files: CertificateFiles
  /** The one in use. */
  certificate: Certificate
  /** Renews the files themselves, before they are read. */
  renew(): Promise<void>
  /** Called with a new, validated certificate. */
  use(certificate: Certificate): void
  /** The interval in milliseconds: the files are small, and no event covers every way to replace them. */
  everyMs: number
  log: Logger
}

/**
 * Polls the files; an inconsistent state, such as a half-written pair, is logged once and keeps the current
 * certificate. Returns a function that stops polling.
 */
export function watchCertificate({ files, certificate, renew, use, everyMs, log }: Watch): () => void {
  let inUse = certificate
  let logged: string | undefined
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
      logged = undefined
    } catch (error) {
      const problem = error instanceof SettingsError ? error.message : String(error)
      if (problem !== logged) log.warn(`${problem} The current certificate stays in use.`)
      logged = problem
    }
    if (!ended) timer = setTimeout(look, everyMs).unref()
  }

  return () => {
    ended = true
    clearTimeout(timer)
  }
}
