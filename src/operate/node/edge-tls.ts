/**
 * HTTPS of the sites: what a node needs to serve certificates, show challenges and lead visitors to HTTPS.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createHttp2Server } from '../../lib/net/http2-server.ts'
import type { StopsAccepting } from '../../lib/net/listen.ts'
import { createIsTrusted } from '../../lib/net/trusted-proxies.ts'
import { listenTls } from '../../lib/tls/listen-tls.ts'
import { type EdgeCertificate, openEdgeCertificate } from '../../lib/tls/open-certificate.ts'
import { createTlsServer, type FindContext } from '../../lib/tls/tls-server.ts'
import { createPendingChallenges, type PendingChallenges } from '../../platform/certificates/pending.ts'
import { createChallengeServer } from '../../platform/certificates/tls-alpn-challenges.ts'
import { createClientOf } from '../../platform/limits/client-of.ts'
import { limitConnections } from '../../platform/limits/limit-connections.ts'
import { createCertificateOf } from '../../roles/edge/certificate-of.ts'
import { createFindSiteForClient } from '../../roles/edge/find-site-for-client.ts'
import { createLeadToHttps, type LeadToHttps } from '../../roles/edge/https.ts'
import { refuseHttp2Connect } from '../../roles/edge/refuse-http2-connect.ts'
import { edgeTimeouts } from '../../roles/edge/server.ts'
import type { NodeContext } from './context.ts'
import { readProxyHeaderOf } from './proxy-headers.ts'
import { certifiedUrlOf, publicSitesUrl } from './public-url.ts'
import type { NodeCertificates } from './served-certificates.ts'

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'installation'
  | 'sites'
  | 'certificates'
  | 'ownLimits'
  | 'unread'
  | 'log'
  | 'nowMs'
  | 'together'
>

type Http = { http1: Server; handle: RequestListener }

type Listened = StopsAccepting & { tlsPort: number | undefined }

export type EdgeTls = {
  challenges: PendingChallenges
  /** Undefined where visitors may stay with HTTP. */
  lead: LeadToHttps | undefined
  /** Opens the port of HTTPS, if there is one, and closes it with `plain`. @throws SettingsError. */
  listen(plain: StopsAccepting, http: Http): Promise<Listened>
}

/** How long a session of HTTP/2 may be silent. */
const idleMs = 120_000

/**
 * Undefined for a node without HTTPS.
 * @throws SettingsError when the operator's certificate can't be used.
 */
export async function openEdgeTls(deps: Deps): Promise<EdgeTls | undefined> {
  const { settings, installation, sites, ownLimits, certificates } = deps
  const { SVC_EDGE_TLS_PORT: port, SVC_ACME, SVC_EDGE_HTTPS_REDIRECT, SVC_TRUSTED_PROXIES } = settings
  if (port === undefined && !SVC_ACME) return undefined
  const challenges = createPendingChallenges(installation.store)
  if (port === undefined || !certificates) {
    const listen = async (plain: StopsAccepting) => ({
      ...closing(plain, challenges.stop),
      tlsPort: undefined,
    })
    return { challenges, lead: undefined, listen }
  }
  const sitesUrl = publicSitesUrl(settings, 0)
  const sitesHost = new URL(sitesUrl).hostname
  const own = await openEdgeCertificate(settings)
  const isCovered = (name: string) => own?.covers(name) === true
  const publicPort = (tlsPort: number) => new URL(certifiedUrlOf(sitesUrl, tlsPort)).port
  let publicTlsPort = publicPort(port)
  const leading = {
    certificates: certificates.served,
    sitesHost,
    isCovered,
    port: () => publicTlsPort,
    isForwarded: forwardedBy(SVC_TRUSTED_PROXIES),
  }
  return {
    challenges,
    lead: SVC_EDGE_HTTPS_REDIRECT ? createLeadToHttps(leading) : undefined,
    async listen(plain, http) {
      const findSite = createFindSiteForClient(sites, ownLimits.sites)
      const contextOf = createCertificateOf({ findSite, served: certificates.served, sitesHost, isCovered })
      const listening = await openPort({ ...deps, certificates, own, challenges, contextOf }, plain, http)
      publicTlsPort = publicPort(listening.port)
      return { ...closing(listening, challenges.stop), port: plain.port, tlsPort: listening.port }
    },
  }
}

type Opening = Omit<Deps, 'certificates'> & {
  certificates: NodeCertificates
  own: EdgeCertificate | undefined
  challenges: PendingChallenges
  contextOf: FindContext
}

async function openPort(
  { settings, certificates, own, challenges, contextOf, ownLimits, unread, log, nowMs, together }: Opening,
  plain: StopsAccepting,
  { http1, handle }: Http,
): Promise<StopsAccepting> {
  const { SVC_EDGE_TLS_PORT: port = 0, SVC_HOST: host, SVC_TRUSTED_PROXIES } = settings
  const { connections } = ownLimits
  const handshakeMs = edgeTimeouts.headersMs
  const clientOf = createClientOf(SVC_TRUSTED_PROXIES)
  const http2 = createHttp2Server({
    timeouts: { ...edgeTimeouts, idleMs },
    handle,
    unread,
    clientOf,
    refuse: refuseHttp2Connect,
  })
  const options = {
    certificate: own?.certificate(),
    contextOf,
    handshakeMs,
    ticketKeys: certificates.ticketKeys(),
    divert: createChallengeServer({ challenges, handshakeMs, nowMs }),
    readProxyHeader: readProxyHeaderOf(settings),
    accepted: connections && limitConnections(connections, { target: 'sites', clientOf, log }),
  }
  const tls = createTlsServer(options, { http1, http2 })
  const place = { port, host, setting: 'SVC_EDGE_TLS_PORT' } as const
  const listening = await listenTls({ tls, http2, plain }, { ...place, isShared: together !== undefined })
  certificates.follow(tls)
  const stopWatching = own?.watch(tls.use, log)
  return closing(listening, () => stopWatching?.())
}

function closing(listening: StopsAccepting, stop: () => void): StopsAccepting {
  return {
    ...listening,
    async close(waitMs) {
      await listening.close(waitMs)
      stop()
    },
  }
}

/** Whether a trusted proxy says that the visitor uses HTTPS. */
function forwardedBy(proxies: string[]): (req: IncomingMessage) => boolean {
  const isTrusted = createIsTrusted(proxies)
  return ({ headers, socket }) =>
    headers['x-forwarded-proto'] === 'https' && isTrusted(socket.remoteAddress ?? '')
}
