/** Admits requests: finds the site of a host, checks its protection, and loads its files. */
import { sees } from '../../platform/auth/scope.ts'
import type { LookUp } from '../../platform/limits/limit-look-ups.ts'
import type { Authenticate } from './authenticate.ts'
import type { FileSite, RedirectSite, Site } from './find-site.ts'
import { createFindSiteForClient } from './find-site-for-client.ts'
import type { Manifest } from './manifest.ts'
import type { Manifests } from './manifests.ts'
import { findPassage, withoutBypass } from './protection.ts'
import { enterResponse, plainResponse, redirectResponse } from './responses/plain-responses.ts'
import type { SiteResponse } from './responses/response.ts'
import type { Sites } from './sites.ts'
import type { OtherRequest, SiteRequest } from './wire/read-request.ts'
import { formatTarget, type Target } from './wire/target.ts'

/** A site that the request may access, with its files. */
export type Visit = { site: FileSite; manifest: Manifest }

export type Visits = {
  /** The visit if everything it needs is in memory. */
  atOnce(request: SiteRequest): Visit | undefined
  /**
   * The visit, or an error response. Calls the visitor with the site first. Rejects when a store is
   * unavailable, and with AppError `rate_limited` when the address requests too many unknown sites.
   */
  admit(request: SiteRequest, visitor: Visitor): Promise<Visit | { answer: SiteResponse }>
  /** Reads a site's files again, of which one's object is missing; false if that was done a moment ago. */
  rereadFiles(site: FileSite): Promise<boolean>
  /**
   * The answer to a method that no file has one for: by the rules of the site to OPTIONS, if it is open.
   * Tells the visitor the site first. Rejects as `admit` does.
   */
  turnAway(request: OtherRequest, visitor: Visitor): Promise<SiteResponse>
}

type Visitor = { found(site: Site | undefined): void; address(): string }

export type VisitDeps = {
  sites: Sites
  authenticate: Authenticate
  /** Rate limits lookups of sites that aren't in memory. */
  lookUp: LookUp
  /**
   * The sites' public base address: `https://svc.site` serves `https://<label>.svc.site`. With port 0, known
   * only once the server listens.
   */
  readonly sitesUrl: string
  /** Signs the cookies of protected hosts; the same on every node. */
  cookieKey: Buffer
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
}

/** Visits to the sites of `deps`. */
export function createVisits(deps: VisitDeps, manifests: Manifests): Visits {
  const { sites, authenticate, lookUp, cookieKey, nowMs } = deps
  const isSecure = new URL(deps.sitesUrl).protocol === 'https:'
  const findSiteForClient = createFindSiteForClient(sites, lookUp)

  async function siteAt(host: string, visitor: Visitor): Promise<Site | undefined> {
    const site = await findSiteForClient(host, visitor.address)
    visitor.found(site)
    return site
  }

  async function filesOf(
    site: FileSite,
    manifestId: number,
    { target }: SiteRequest,
    visitor: Visitor,
  ): Promise<Manifest> {
    const manifest = await manifests.get(manifestId, site)
    return manifest.part?.(target, site.spa, (find) => lookUp(visitor.address(), find)) ?? manifest
  }

  async function refuse(
    site: FileSite,
    { head, target }: SiteRequest,
    visitor: Visitor,
  ): Promise<SiteResponse | undefined> {
    const passage = findPassage(site, head, target, { key: cookieKey, isSecure, nowMs: nowMs() })
    if (passage.kind === 'open') return undefined
    if (passage.kind === 'enter') return enterResponse(passage.location, passage.cookie)
    if (passage.kind === 'refused') return plainResponse(401, 'private')
    const principal = await authenticate(passage.authorization, visitor.address())
    const isAdmitted = principal?.teamId === site.teamId && sees(principal, site.projectId)
    return isAdmitted ? undefined : plainResponse(401, 'private')
  }

  return {
    atOnce({ host }) {
      const site = sites.peek(host)?.value
      if (site?.kind !== 'files' || site.isProtected || site.manifestId === null) return undefined
      const manifest = manifests.peek(site.manifestId)
      return manifest && !manifest.part ? { site, manifest } : undefined
    },
    async admit(request, visitor) {
      const site = await siteAt(request.host, visitor)
      if (site?.kind === 'redirect') return { answer: leadTo(site, request.target, deps.sitesUrl) }
      if (!site || site.manifestId === null) return { answer: plainResponse(404) }
      const answer = site.isProtected ? await refuse(site, request, visitor) : undefined
      return answer ? { answer } : { site, manifest: await filesOf(site, site.manifestId, request, visitor) }
    },
    rereadFiles: async (site) => site.manifestId !== null && (await manifests.reread(site.manifestId, site)),
    async turnAway({ method, host, target }, visitor) {
      const site = await siteAt(host, visitor)
      if (site?.kind === 'redirect') return leadTo(site, target, deps.sitesUrl)
      if (method !== 'OPTIONS' || !site || site.isProtected || site.manifestId === null)
        return plainResponse(405)
      const { answerPreflight } = await manifests.get(site.manifestId, site)
      return answerPreflight?.(target.path) ?? plainResponse(405)
    },
  }
}

/**
 * Leads to the same path at another name. The query goes along, but never with a secret: this is another
 * host. `sitesUrl` says scheme and port.
 */
function leadTo({ to, status }: RedirectSite, target: Target, sitesUrl: string): SiteResponse {
  const { protocol, port } = new URL(sitesUrl)
  const origin = `${protocol}//${to}${port && `:${port}`}`
  return redirectResponse(`${origin}${formatTarget(target)}${withoutBypass(target.query)}`, 'public', status)
}
