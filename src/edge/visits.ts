/** Lets requests in: finds the site behind a host, has a protected one opened, and brings its files. */
import type { Principal } from '../auth/principal.ts'
import type { Answer } from './answers/answer.ts'
import { enterAnswer, plainAnswer } from './answers/plain-answers.ts'
import type { Manifest } from './manifest.ts'
import type { Manifests } from './manifests.ts'
import { findPassage } from './protection.ts'
import type { Site, Sites } from './sites.ts'
import type { SiteRequest } from './wire/read-request.ts'

/** A site that is open to the request, with its files. */
export type Visit = { site: Site; manifest: Manifest }

export type Visits = {
  /** The visit if everything that it takes is in memory. */
  atOnce(request: SiteRequest): Visit | undefined
  /** The visit, or the answer that refuses it. Rejects when a store is away. */
  admit(request: SiteRequest): Promise<Visit | { refusal: Answer }>
}

type Deps = {
  sites: Sites
  manifests: Manifests
  authenticate: (authorization: string) => Promise<Principal | undefined>
  sitesUrl: string
  cookieKey: Buffer
  nowMs: () => number
}

/** Visits to the sites of `deps`. */
export function createVisits({ sites, manifests, authenticate, sitesUrl, cookieKey, nowMs }: Deps): Visits {
  const isSecure = new URL(sitesUrl).protocol === 'https:'

  async function refuse(site: Site, { head, target }: SiteRequest): Promise<Answer | undefined> {
    const passage = findPassage(site, head, target, { key: cookieKey, isSecure, nowMs: nowMs() })
    if (passage.kind === 'open') return undefined
    if (passage.kind === 'enter') return enterAnswer(passage.location, passage.cookie)
    const principal = passage.kind === 'authenticate' ? await authenticate(passage.authorization) : undefined
    return principal?.teamId === site.teamId ? undefined : plainAnswer(401, 'private')
  }

  return {
    atOnce({ label }) {
      const site = sites.peek(label)?.value
      if (!site || site.isProtected || site.manifestId === null) return undefined
      const manifest = manifests.peek(site.manifestId)
      return manifest && { site, manifest }
    },
    async admit(request) {
      const site = await sites.get(request.label)
      if (!site || site.manifestId === null) return { refusal: plainAnswer(404) }
      const refusal = site.isProtected ? await refuse(site, request) : undefined
      return refusal ? { refusal } : { site, manifest: await manifests.get(site.manifestId) }
    },
  }
}
