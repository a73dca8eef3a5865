/** The door of protected sites: what visitors without a credential get, and the ways in for a browser. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../../lib/errors.ts'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import type { LookUp } from '../../../platform/limits/limit-look-ups.ts'
import type { Limiter } from '../../../platform/limits/limiter.ts'
import { accessOf } from '../../../platform/visitors/access.ts'
import { openWithPassword } from '../../../platform/visitors/check-password.ts'
import { takeVisitCode } from '../../../platform/visitors/codes.ts'
import { findShareLink } from '../../../platform/visitors/find-share-link.ts'
import { enterPath, passwordPath, visitPath } from '../../../platform/visitors/paths.ts'
import type { Database } from '../../../stores/db/database.ts'
import type { FileSite, Site } from '../find-site.ts'
import { isOverTls } from '../https.ts'
import { enterResponse, plainResponse, redirectResponse } from '../responses/plain-responses.ts'
import type { SiteResponse } from '../responses/response.ts'
import type { ReadRequest } from '../wire/read-request.ts'
import { hasNonce, nonceOf } from './nonce.ts'
import { type PageContent, visitorPage } from './page.ts'
import { readForm } from './read-form.ts'
import { returnPathOf, safeReturnPath } from './return-path.ts'
import { type Entry, sealVisit } from './visit-cookie.ts'

export type DoorDeps = {
  db: Database
  /** Limits guesses of codes and secrets by address. */
  lookUp: LookUp
  /** The public base address of the API, where people sign in, if known; with port 0 once it listens. */
  readonly apiUrl: string | undefined
  readonly sitesUrl: string
  /** Limits tries of passwords by address. */
  passwords: Limiter
  /** Signs the cookies of protected hosts; the same on every node. */
  cookieKey: Buffer
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
}

/** A request to a site. */
type Caller = { req: IncomingMessage; request: ReadRequest; address: () => string }

/** The secret of a share link, if it could be decoded, and where it leads. */
type GivenLink = { secret: string | undefined; location: string }

export type Door = {
  /** Whether cookies of this request's host are for TLS alone. */
  isSecure(req: IncomingMessage): boolean
  /** The 401 of a protected site: a text for programs, a page for browsers. */
  refuse(site: FileSite, caller: Caller): SiteResponse
  /** Lets in whoever has a share link. Rejects when the database is away. */
  openLink(site: FileSite, caller: Caller, link: GivenLink): Promise<SiteResponse>
  /** The answer at a path that no site has, `isReserved`. Rejects when the database is away. */
  answer(site: Site | undefined, caller: Caller): Promise<SiteResponse>
}

/** How long a person's visit lasts, unless it is ended: as long as a JWT. */
const personVisitMs = 8 * 3_600_000

/** How long a visit with a password lasts, unless it is ended. */
const passwordVisitMs = 7 * 86_400_000

/** Longer than any code, and than the secret of any link. */
const maxSecretLength = 64

/** The door of every site. */
export function createDoor(deps: DoorDeps): Door {
  const { db, lookUp, passwords, nowMs } = deps
  const areSitesSecure = new URL(deps.sitesUrl).protocol === 'https:'
  const isSecure = (req: IncomingMessage) => areSitesSecure || isOverTls(req)

  function page(
    site: FileSite,
    { req, request }: Caller,
    content: Pick<PageContent, 'status' | 'problem' | 'retryAfterS'> & { path: string },
  ): SiteResponse {
    const { path } = content
    const nonce = nonceOf(request.head.cookie, isSecure(req))
    const query = new URLSearchParams({ host: site.host, nonce: nonce.sha256, path })
    if (isSecure(req)) query.set('secure', '1')
    const signInUrl = deps.apiUrl === undefined ? undefined : `${deps.apiUrl}${visitPath}?${query}`
    const form = site.hasPassword ? { path, nonce: nonce.sha256 } : undefined
    return visitorPage({ ...content, signInUrl, form, cookie: nonce.cookie })
  }

  function letIn(site: FileSite, { req }: Caller, entry: Entry, path: string): SiteResponse {
    const seal = { key: deps.cookieKey, isSecure: isSecure(req), nowMs: nowMs() }
    return enterResponse(path, sealVisit(seal, site, entry))
  }

  async function redeem(site: FileSite, caller: Caller): Promise<SiteResponse> {
    const { req, request, address } = caller
    const code = new URLSearchParams(request.target.query).get('code') ?? ''
    const taken =
      code === '' || code.length > maxSecretLength
        ? undefined
        : await lookUp(address(), () => takeVisitCode(db, code, nowMs()))
    const isHere =
      taken?.host === site.host && hasNonce(request.head.cookie, taken.nonceSha256, isSecure(req))
    const access =
      taken && isHere ? await accessOf(db, { userId: taken.userId, projectId: site.projectId }) : undefined
    if (!taken || !access) {
      const problem = 'This sign-in has expired, was used before, or began in another browser. Sign in again.'
      return page(site, caller, { status: 401, problem, path: '/' })
    }
    const { userId: subject, visitVersion } = taken
    const entry = { subject, visitVersion, accessVersion: access.version, expiryMs: nowMs() + personVisitMs }
    return letIn(site, caller, entry, safeReturnPath(taken.path))
  }

  async function tryPassword(site: FileSite, caller: Caller): Promise<SiteResponse> {
    const { req, request, address } = caller
    const form = await readForm(req)
    if (!form) return plainResponse(400)
    const path = safeReturnPath(form.get('path') ?? '/')
    // The form of another site's page has none, which must not try passwords with its visitors.
    if (!hasNonce(request.head.cookie, form.get('nonce') ?? '', isSecure(req)))
      return page(site, caller, { status: 401, problem: 'This page was open for too long. Try again.', path })
    const { allowed, waitMs } = await passwords.draw(addressBucket(address()), 1)
    const seconds = Math.ceil(waitMs / 1_000)
    if (!allowed) {
      const problem = `Too many tries. Try again in ${seconds} s.`
      return page(site, caller, { status: 429, problem, path, retryAfterS: seconds })
    }
    try {
      const opening = { projectId: site.projectId, password: form.get('password') ?? '' }
      const accessVersion = await openWithPassword(db, opening)
      if (accessVersion === undefined)
        return page(site, caller, { status: 401, problem: 'That is not the password of this site.', path })
      const expiryMs = nowMs() + passwordVisitMs
      const entry = { subject: 'password', visitVersion: 0, accessVersion, expiryMs }
      return letIn(site, caller, entry, path)
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'sign_in_unavailable') throw error
      return page(site, caller, { status: 503, problem: error.message, path, retryAfterS: 1 })
    }
  }

  function refuse(site: FileSite, caller: Caller, problem?: string): SiteResponse {
    if (!isBrowser(caller)) return plainResponse(401, 'private')
    return page(site, caller, { status: 401, problem, path: returnPathOf(caller.request.target) })
  }

  return {
    isSecure,
    refuse: (site, caller) => refuse(site, caller),
    async openLink(site, caller, { secret, location }) {
      const { host, projectId } = site
      const link =
        secret === undefined || secret.length > maxSecretLength
          ? undefined
          : await lookUp(caller.address(), () => findShareLink(db, { secret, host, projectId }, nowMs()))
      if (link) return letIn(site, caller, { ...link, visitVersion: 0 }, location)
      return refuse(site, caller, 'This link has ended: it was revoked, or its time is over.')
    },
    async answer(site, caller) {
      const { method, target } = caller.request
      if (site?.kind !== 'files' || !site.isProtected) return plainResponse(404)
      if (`/${target.path}` === enterPath && method === 'GET') return redeem(site, caller)
      if (`/${target.path}` !== passwordPath || !site.hasPassword) return plainResponse(404, 'private')
      if (caller.req.method === 'POST') return tryPassword(site, caller)
      // Whoever loads the page again that followed a wrong password.
      return method === 'GET' ? redirectResponse('/', 'private', 303) : plainResponse(404, 'private')
    },
  }
}

/** A browser that navigates. Programs say what they want, or bring a credential. */
function isBrowser({ req, request: { method, head } }: Caller): boolean {
  if (method !== 'GET' || head.authorization !== undefined || head.bypass !== undefined) return false
  const { accept, 'sec-fetch-mode': mode } = req.headers
  return /\btext\/html\b/i.test(accept ?? '') && (mode === undefined || mode === 'navigate')
}
