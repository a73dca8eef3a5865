/** The certificates that a process of a node serves, with the keys of session tickets. */

import type { Logger } from '../../lib/log/logger.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { sessionIdContext, type TlsServer } from '../../lib/tls/tls-server.ts'
import {
  createServedCertificates,
  type ServedCertificates,
} from '../../platform/certificates/secure-contexts.ts'
import { ticketKeysOfToday } from '../../platform/certificates/ticket-keys.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import type { Installation } from './installation.ts'

export type NodeCertificates = {
  served: ServedCertificates
  ticketKeys(): Buffer
  /** Has `tls` use new keys of session tickets when there are. */
  follow(tls: Pick<TlsServer, 'useTicketKeys'>): void
  close(): Promise<void>
}

type Deps = {
  settings: Settings
  installation: Pick<Installation, 'store' | 'keys'>
  nowMs: () => number
  log: Logger
  /** This process's share of the memory of a node, from 0 to 1. */
  share: number | undefined
}

const renewEveryMs = 60_000

/** Undefined for a node that serves none. */
export async function openServedCertificates(deps: Deps): Promise<NodeCertificates | undefined> {
  const { settings, installation, nowMs, log, share } = deps
  const { SVC_EDGE_TLS_PORT, SVC_TLS_PORT, SVC_ACME, SVC_STALE_S } = settings
  if (SVC_EDGE_TLS_PORT === undefined && !(SVC_ACME && SVC_TLS_PORT !== undefined)) return undefined
  const { store, keys } = installation
  const read = () => ticketKeysOfToday({ db: store.db, key: keys.certificates, nowMs: nowMs() })
  let ticketKeys = await read()
  const served = createServedCertificates(store, {
    key: keys.certificates,
    ticketKeys,
    sessionIdContext,
    share,
    isOrdering: SVC_ACME,
    maxStaleMs: SVC_STALE_S * 1_000,
  })
  const followers: Pick<TlsServer, 'useTicketKeys'>[] = []
  async function renew(): Promise<boolean> {
    const found = await read()
    if (found.equals(ticketKeys)) return false
    ticketKeys = found
    for (const each of [served, ...followers]) each.useTicketKeys(found)
    return false
  }
  const stop = startLoop([{ name: 'renew ticket keys', everyMs: renewEveryMs, run: renew }], log)
  return {
    served,
    ticketKeys: () => ticketKeys,
    follow: (tls) => void followers.push(tls),
    async close() {
      await stop()
      served.stop()
    },
  }
}
