/** Leads visitors to HTTPS where a name has a certificate. */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { ServedCertificates } from '../../platform/certificates/secure-contexts.ts'
import { isChallengePath } from './challenge-response.ts'
import { redirectResponse } from './responses/plain-responses.ts'
import type { SiteResponse } from './responses/response.ts'
import type { SiteRequest } from './wire/read-request.ts'
import { isDomain } from './wire/site-host.ts'
import { formatTarget } from './wire/target.ts'

/** The redirect of a request over HTTP; undefined, or a promise of that, for one that is served as it is. */
export type LeadToHttps = (
  req: IncomingMessage,
  request: Pick<SiteRequest, 'host' | 'target'>,
) => SiteResponse | undefined | Promise<SiteResponse | undefined>

type Options = {
  certificates: Pick<ServedCertificates, 'peek' | 'has'>
  /** The host below which the sites are. */
  sitesHost: string
  /** The public port of HTTPS; empty for the usual one. */
  port: () => string
  /** Whether a name is covered by the operator's own certificate. */
  isCovered: (name: string) => boolean
  /** Whether a proxy in front of the edge says that the visitor came over HTTPS. */
  isForwarded: (req: IncomingMessage) => boolean
}

/** Redirects to the same name. */
export function createLeadToHttps({
  certificates,
  sitesHost,
  port,
  isCovered,
  isForwarded,
}: Options): LeadToHttps {
  const suffix = () => (port() === '' ? '' : `:${port()}`)

  function lead({ host, target }: Pick<SiteRequest, 'host' | 'target'>): SiteResponse {
    const name = isDomain(host) ? host : `${host}.${sitesHost}`
    const location = `https://${name}${suffix()}${formatTarget(target)}${target.query}`
    return redirectResponse(location, 'public')
  }

  return (req, request) => {
    if (isOverTls(req)) return undefined
    if (isChallengePath(request.target) || isForwarded(req)) return undefined
    const { host } = request
    if (isCovered(isDomain(host) ? host : `${host}.${sitesHost}`)) return lead(request)
    const name = isDomain(host) ? host : `*.${sitesHost}`
    const known = certificates.peek(name)
    if (known !== undefined) return known ? lead(request) : undefined
    // While the database is away, the site is served as it is.
    return certificates.has(name).then(
      (has) => (has ? lead(request) : undefined),
      () => undefined,
    )
  }
}

/** Whether a request came over TLS to this server itself. */
export function isOverTls({ socket, httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor === 2 || socket instanceof TLSSocket
}

/** Browsers use HTTPS alone for a year then (RFC 6797). */
export function withHsts(answer: SiteResponse): SiteResponse {
  return { ...answer, headers: [...answer.headers, 'Strict-Transport-Security', 'max-age=31536000'] }
}
