/** The certificates in files of the settings, as they are served. */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Settings } from '../../../lib/settings/variables.ts'
import { type CertificateFiles, checkCertificate, readCertificate } from '../../../lib/tls/certificate.ts'
import { coversName } from '../../../lib/tls/covered-names.ts'
import type { Served } from './certificate-alerts.ts'

type FileSetting = 'SVC_TLS_CERT' | 'SVC_EDGE_TLS_CERT'

type Watched = CertificateFiles & { settings: { cert: FileSetting; key: string } }

export type CertificateFilesReader = {
  /** Reads them again; files that a server would refuse leave the certificate that it goes on with. */
  read(): Promise<void>
  served(): Served[]
  /** Whether the certificate of a setting is for a name or an address; a name may be a wildcard. */
  covers(setting: FileSetting, name: string): boolean
}

/** Reads those that the node's roles serve; none is known before the first `read`. */
export function createCertificateFiles(settings: Settings): CertificateFilesReader {
  const files = filesOf(settings)
  const known = new Map<FileSetting, { file: string; parsed: X509Certificate }>()

  async function readOne(each: Watched): Promise<void> {
    try {
      const found = await readCertificate(each)
      checkCertificate(found, each)
      known.set(each.settings.cert, { file: each.certFile, parsed: new X509Certificate(found.cert) })
    } catch {
      // Whoever serves it has said so.
    }
  }

  return {
    read: async () => void (await Promise.all(files.map(readOne))),
    served: () =>
      [...known].map(([setting, { file, parsed }]) => ({
        origin: 'file',
        place: file,
        setting,
        notBeforeMs: Date.parse(parsed.validFrom),
        notAfterMs: Date.parse(parsed.validTo),
      })),
    covers(setting, name) {
      const parsed = known.get(setting)?.parsed
      // Without files that can be used, a node doesn't start.
      if (!parsed) return files.some(({ settings: { cert } }) => cert === setting)
      return isIP(name) === 0 ? coversName(parsed, name) : parsed.checkIP(name) !== undefined
    },
  }
}

function filesOf(settings: Settings): Watched[] {
  const { SVC_ROLES: roles, SVC_TLS_CERT, SVC_TLS_KEY, SVC_EDGE_TLS_CERT, SVC_EDGE_TLS_KEY } = settings
  const ofApi = roles.includes('api') && SVC_TLS_CERT !== undefined && SVC_TLS_KEY !== undefined
  const ofEdge = roles.includes('edge') && SVC_EDGE_TLS_CERT !== undefined && SVC_EDGE_TLS_KEY !== undefined
  return [
    ...(ofApi
      ? [
          {
            certFile: SVC_TLS_CERT,
            keyFile: SVC_TLS_KEY,
            settings: { cert: 'SVC_TLS_CERT', key: 'SVC_TLS_KEY' } as const,
          },
        ]
      : []),
    ...(ofEdge
      ? [
          {
            certFile: SVC_EDGE_TLS_CERT,
            keyFile: SVC_EDGE_TLS_KEY,
            settings: { cert: 'SVC_EDGE_TLS_CERT', key: 'SVC_EDGE_TLS_KEY' } as const,
          },
        ]
      : []),
  ]
}
