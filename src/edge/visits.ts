/** Lets requests in: finds the site behind a host, has a protected one opened, and brings its files. */
import type { Principal } from '../auth/principal.ts'
import type { Answer } from './answers/answer.ts'
import { enterAnswer, plainAnswer } from './answers/plain-answers.ts'
import type { FileSite, Site } from './find-site.ts'
import type { Manifest } from './manifest.ts'
import type { Manifests } from './manifests.ts'
import { findPassage } from './protection.ts'
import { leadTo } from './redirect-site.ts'
import type { Sites } from './sites.ts'
import type { OtherRequest, SiteRequest } from './wire/read-request.ts'

/** A site that is open to the request, with its files. */
export type Visit = { site: FileSite; manifest: Manifest }

export type Visits = {
  /** The visit if everything that it takes is in memory. */
  atOnce(request: SiteRequest): Visit | undefined
  /** The visit, or the answer that there is instead. Tells `found` the site first. Rejects when a store is away. */
  admit(request: SiteRequest, found: Found): Promise<Visit | { answer: Answer }>
  /** The answer to a method that no file has one for. Tells `found` the site first. Rejects when a store is away. */
  turnAway(request: OtherRequest, found: Found): Promise<Answer>
}

type Found = (site: Site | undefined) => void

export type VisitDeps = {
  sites: Sites
  /**
   * The principal of a whole `Authorization` value; rejects with AppError `store_unavailable` when it can't
   * tell.
   */
  authenticate: (authorization: string) => Promise<Principal | undefined>
  /**
   * The sites' public base address: `https://svc.site` serves `https://<label>.svc.site`. Its port may become known only
   * when the server listens.
   */
  readonly sitesUrl: string
  /** Signs the cookies of protected hosts; the same on every node. */
  cookieKey: Buffer
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
}

/** Visits to the sites of `deps`. */
export function createVisits(deps: VisitDeps, manifests: Manifests): Visits {
  const { sites, authenticate, cookieKey, nowMs } = deps
  const isSecure = new URL(deps.sitesUrl).protocol === 'https:'

  async function refuse(site: FileSite, { head, target }: SiteRequest): Promise<Answer | undefined> {
    const passage = findPassage(site, head, target, { key: cookieKey, isSecure, nowMs: nowMs() })
    if (passage.kind === 'open') return undefined
    if (passage.kind === 'enter') return enterAnswer(passage.location, passage.cookie)
    const principal = passage.kind === 'authenticate' ? await authenticate(passage.authorization) : undefined
    return principal?.teamId === site.teamId ? undefined : plainAnswer(401, 'private')
  }

  return {
    atOnce({ host }) {
      const site = sites.peek(host)?.value
      if (site?.kind !== 'files' || site.isProtected || site.manifestId === null) return undefined
      const manifest = manifests.peek(site.manifestId)
      return manifest && { site, manifest }
    },
    async admit(request, found) {
      const site = await sites.get(request.host)
      found(site)
      if (site?.kind === 'redirect') return { answer: leadTo(site, request.target, deps.sitesUrl) }
      if (!site || site.manifestId === null) return { answer: plainAnswer(404) }
      const answer = site.isProtected ? await refuse(site, request) : undefined
      return answer ? { answer } : { site, manifest: await manifests.get(site.manifestId) }
    },
    async turnAway({ host, target }, found) {
      const site = await sites.get(host)
      found(site)
      return site?.kind === 'redirect' ? leadTo(site, target, deps.sitesUrl) : plainAnswer(405)
    },
  }
}
