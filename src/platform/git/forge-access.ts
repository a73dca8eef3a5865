/** The access to forges that the operator gives a node, to fetch commits. */
import { rootCertificates } from 'node:tls'
import type { HostPort } from '../../lib/names/host-port.ts'
import { createResolve, type Resolve, resolveLocally } from '../../lib/net/resolve.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { readAuthority } from '../../lib/tls/authority.ts'

export type ForgeAccess = {
  /** Forges that may have private addresses. */
  hosts: readonly HostPort[]
  /** The certificates of all authorities that forges are trusted by, as PEM text. */
  authorities: string
  /** Names are looked up once for each fetch. */
  resolve: Resolve
  /** For those of `hosts`, which are often known to the system alone. */
  resolvePrivate: Resolve
}

type ForgeSettings = Pick<Settings, 'SVC_GIT_HOSTS' | 'SVC_GIT_CA' | 'SVC_RESOLVERS'>

/**
 * The authorities are Node's own, as for all that a node connects to, and those of the setting: git would use
 * the system's, which small systems lack.
 * @throws SettingsError if the file of `SVC_GIT_CA` has no certificate.
 */
export async function openForgeAccess(settings: ForgeSettings): Promise<ForgeAccess> {
  const { SVC_GIT_HOSTS: hosts, SVC_GIT_CA: caFile, SVC_RESOLVERS: servers } = settings
  const more = caFile === undefined ? [] : [await readAuthority('SVC_GIT_CA', caFile)]
  const resolve = createResolve(servers)
  return {
    hosts,
    authorities: [...rootCertificates, ...more, ''].join('\n'),
    resolve,
    resolvePrivate: servers ? resolve : resolveLocally,
  }
}
