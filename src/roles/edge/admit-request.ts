/** Admits requests: finds the site of a host, checks its protection, and loads its files. */
import type { IncomingMessage } from 'node:http'
import { sees } from '../../platform/callers/scope.ts'
import type { Authenticate } from './authenticate.ts'
import { decideOther } from './decide.ts'
import type { FileSite, RedirectSite, Site } from './find-site.ts'
import { createFindSiteForClient } from './find-site-for-client.ts'
import type { Manifest } from './manifest.ts'
import type { Manifests } from './manifests.ts'
import { type DecidedPassage, findPassage, type Passage, withoutSecrets } from './protection.ts'
import type { PassedOn } from './resolve-request.ts'
import { enterResponse, plainResponse, redirectResponse } from './responses/plain-responses.ts'
import type { SiteResponse } from './responses/response.ts'
import type { Sites } from './sites.ts'
import { createDoor, type DoorDeps } from './visitors/door.ts'
import type { PersonVisits } from './visitors/person-visits.ts'
import type { OtherRequest, ReadRequest, SiteRequest } from './wire/read-request.ts'
import { formatTarget, type Target } from './wire/target.ts'

/**
 * A site that the request may access, with its files; `isAuthorized` where the request's `Authorization` let
 * it in, which is for this platform then.
 */
export type Visit = { site: FileSite; manifest: Manifest; isAuthorized: boolean }

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
   * Where a request is passed on whose method no file has an answer for, or the answer: by the rules of the
   * site to OPTIONS, if it is open. Calls the visitor with the site first. Rejects as `admit` does.
   */
  passOrTurnAway(
    request: OtherRequest,
    visitor: Visitor,
  ): Promise<{ visit: Visit; to: PassedOn } | { answer: SiteResponse }>
  /**
   * The answer at a path that is no site's, `isReserved`; where there is a site, `lead` is asked for another
   * one first. Otherwise as `turnAway`.
   */
  atDoor(request: ReadRequest, visitor: Visitor & { lead: Lead }): Promise<SiteResponse>
  /**
   * Whether a visitor whom a site has let in, as it `wasProtected` or not, would still be. Rejects when a
   * store is unavailable.
   */
  goesOn(request: ReadRequest, caller: Omit<Visitor, 'found'> & { wasProtected: boolean }): Promise<boolean>
}

type Lead = () => Promise<SiteResponse | undefined>

type Visitor = { req: IncomingMessage; found(site: Site | undefined): void; address(): string }

export type VisitDeps = DoorDeps & {
  sites: Sites
  authenticate: Authenticate
  personVisits: PersonVisits
}

/** Visits to the sites of `deps`. */
export function createVisits(deps: VisitDeps, manifests: Manifests): Visits {
  const { sites, authenticate, personVisits, lookUp, cookieKey, nowMs } = deps
  const door = createDoor(deps)
  const findSiteForClient = createFindSiteForClient(sites, lookUp)

  async function siteAt(host: string, visitor: Visitor): Promise<Site | undefined> {
    const site = await findSiteForClient(host, visitor.address)
    visitor.found(site)
    return site
  }

  async function filesOf(
    site: FileSite,
    manifestId: number,
    request: ReadRequest,
    visitor: Visitor,
  ): Promise<Manifest> {
    const manifest = await manifests.get(manifestId, site)
    return manifest.part?.(request, site, (find) => lookUp(visitor.address(), find)) ?? manifest
  }

  /** The passage by what else was sent, where visits of people have ended. */
  async function goOn(passage: Passage): Promise<DecidedPassage> {
    if (passage.kind !== 'visit') return passage
    return (await personVisits.goOn(passage.visits)) ? { kind: 'open' } : passage.otherwise
  }

  /** The passage, in which `Authorization` has been checked. */
  async function passageOf(
    site: FileSite,
    request: ReadRequest,
    { req, address }: Omit<Visitor, 'found'>,
  ): Promise<CheckedPassage> {
    const seal = { key: cookieKey, isSecure: door.isSecure(req), nowMs: nowMs() }
    const passage = await goOn(findPassage(site, request.head, request.target, seal))
    if (passage.kind !== 'authenticate') return passage
    const principal = await authenticate(passage.authorization, address())
    const isMember = principal?.teamId === site.teamId && sees(principal, site.projectId)
    return { kind: isMember ? 'authorized' : 'refused' }
  }

  /** The answer to a visitor who isn't let in. */
  async function enter(
    site: FileSite,
    request: ReadRequest,
    visitor: Visitor,
  ): Promise<{ answer: SiteResponse } | { isAuthorized: boolean }> {
    const passage = site.isProtected ? await passageOf(site, request, visitor) : open
    if (passage.kind === 'open') return { isAuthorized: false }
    if (passage.kind === 'authorized') return { isAuthorized: true }
    if (passage.kind === 'enter') return { answer: enterResponse(passage.location, passage.cookie) }
    const caller = { req: visitor.req, request, address: visitor.address }
    if (passage.kind === 'share') return { answer: await door.openLink(site, caller, passage) }
    return { answer: door.refuse(site, caller) }
  }

  return {
    atOnce({ host }) {
      const site = sites.peek(host)?.value
      if (site?.kind !== 'files' || site.isProtected || site.manifestId === null) return undefined
      const manifest = manifests.peek(site.manifestId)
      return manifest && !manifest.part ? { site, manifest, isAuthorized: false } : undefined
    },
    async admit(request, visitor) {
      const site = await siteAt(request.host, visitor)
      if (site?.kind === 'redirect') return { answer: leadTo(site, request.target, deps.sitesUrl) }
      if (!site || site.manifestId === null) return { answer: plainResponse(404) }
      const entered = await enter(site, request, visitor)
      if ('answer' in entered) return entered
      return { ...entered, site, manifest: await filesOf(site, site.manifestId, request, visitor) }
    },
    rereadFiles: async (site) => site.manifestId !== null && (await manifests.reread(site.manifestId, site)),
    async passOrTurnAway(request, visitor) {
      const { method, host, target } = request
      const site = await siteAt(host, visitor)
      if (site?.kind === 'redirect') return { answer: leadTo(site, target, deps.sitesUrl) }
      if (!site || site.manifestId === null) return { answer: plainResponse(405) }
      const entered = await enter(site, request, visitor)
      if ('answer' in entered) return method === 'OPTIONS' ? { answer: plainResponse(405) } : entered
      const manifest = await filesOf(site, site.manifestId, request, visitor)
      const decided = decideOther(request, site, manifest)
      if (decided)
        return 'kind' in decided
          ? { visit: { ...entered, site, manifest }, to: decided }
          : { answer: decided }
      const granted = method === 'OPTIONS' && !site.isProtected
      return { answer: (granted && manifest.answerPreflight?.(target.path)) || plainResponse(405) }
    },
    async atDoor(request, visitor) {
      const site = await siteAt(request.host, visitor)
      // Before a code is used up, or a password is read, that should have come over HTTPS.
      const led = site && (await visitor.lead())
      if (led) return led
      return door.answer(site, { req: visitor.req, request, address: visitor.address })
    },
    async goesOn(request, { wasProtected, ...caller }) {
      const { host } = request
      // Of an open site, only what is in memory anyway: there it is soon read anew where it has changed.
      const site = wasProtected ? await sites.get(host) : sites.last(host)
      if (site?.kind !== 'files') return !wasProtected
      if (!site.isProtected) return true
      const { kind } = await passageOf(site, request, caller)
      return kind === 'open' || kind === 'authorized'
    },
  }
}

type CheckedPassage = Exclude<DecidedPassage, { kind: 'authenticate' }> | { kind: 'authorized' }

const open: CheckedPassage = { kind: 'open' }

/**
 * Leads to the same path at another name. The query goes along, but never with a secret: this is another
 * host. `sitesUrl` says scheme and port.
 */
function leadTo({ to, status }: RedirectSite, target: Target, sitesUrl: string): SiteResponse {
  const { protocol, port } = new URL(sitesUrl)
  const origin = `${protocol}//${to}${port && `:${port}`}`
  return redirectResponse(`${origin}${formatTarget(target)}${withoutSecrets(target.query)}`, 'public', status)
}
