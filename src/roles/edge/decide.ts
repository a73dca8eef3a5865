/** Decides what a request gets from a site that is open to it. */

import type { FileSite } from './find-site.ts'
import type { Manifest } from './manifest.ts'
import { withoutSecrets } from './protection.ts'
import type { Resolution } from './resolve-path.ts'
import { type PassedOn, resolveRequest, type Serving } from './resolve-request.ts'
import { chooseForm } from './responses/choose-form.ts'
import type { Asset } from './responses/file-headers.ts'
import { fileResponse, missingResponse } from './responses/file-response.ts'
import { plainResponse, redirectResponse } from './responses/plain-responses.ts'
import type { SiteResponse, Visibility } from './responses/response.ts'
import type { Address } from './rules/redirects.ts'
import type { OtherRequest, SiteRequest } from './wire/read-request.ts'
import { formatPath, type Target } from './wire/target.ts'

/**
 * An answer, and the file (in the form that was chosen) whose bytes it is made of, if any; or where the
 * request is passed on.
 */
export type Decision = { answer: SiteResponse; file: Asset | undefined } | PassedOn

/**
 * The response to `request` from the files and rules of `manifest`; for a protected site it is not for shared
 * caches.
 */
export function decide(
  request: Pick<SiteRequest, 'method' | 'target' | 'head'>,
  site: Pick<FileSite, 'isProtected'> & Serving,
  manifest: Manifest,
): Decision {
  const { method, target, head } = request
  const visibility = site.isProtected ? 'private' : 'public'
  const resolution = resolveRequest(request, manifest.has, site, manifest)
  if (resolution.kind === 'redirect') {
    return {
      answer: redirectResponse(formatPath(resolution.path) + target.query, visibility),
      file: undefined,
    }
  }
  if (resolution.kind === 'pass' || resolution.kind === 'server') return resolution
  if (resolution.kind === 'leave')
    return { answer: leaveResponse(resolution, target, visibility), file: undefined }
  const path = resolution.kind === 'file' ? resolution.path : resolution.page
  const found = path === undefined ? undefined : manifest.get(path)
  if (!found) return { answer: plainResponse(404, visibility), file: found }
  const file = chooseForm(found, method, head)
  if (resolution.kind === 'missing') {
    const answer = missingResponse(file, visibility)
    return { answer: manifest.addHeaders?.(answer, target.path, visibility) ?? answer, file }
  }
  const own = fileResponse(file, visibility, method, head)
  const page = resolution.standsIn && pagePattern.test(resolution.path) ? resolution.path : undefined
  const answer = page === undefined ? own : revalidated(own, visibility)
  return { answer: manifest.addHeaders?.(answer, target.path, visibility, page) ?? answer, file }
}

/**
 * The same for a method that no file has an answer for; undefined where the site has nothing else, either.
 * What the rules of a site with a server say holds for every method.
 */
export function decideOther(
  request: Pick<OtherRequest, 'method' | 'target'>,
  site: Pick<FileSite, 'isProtected'> & Serving,
  manifest: Manifest,
): SiteResponse | PassedOn | undefined {
  const resolution = resolveRequest(request, manifest.has, site, manifest)
  if (resolution.kind === 'pass' || resolution.kind === 'server') return resolution
  if (!site.server) return undefined
  const visibility = site.isProtected ? 'private' : 'public'
  return resolution.kind === 'leave'
    ? leaveResponse(resolution, request.target, visibility)
    : plainResponse(404, visibility)
}

function leaveResponse(
  { address, status }: Extract<Resolution, { kind: 'leave' }>,
  { query }: Target,
  visibility: Visibility,
): SiteResponse {
  return redirectResponse(formatAddress(address, query), visibility, status)
}

const pagePattern = /\.html$/i

/**
 * A page in place of what isn't there: the next deployment may have that, so nothing keeps the page for it.
 */
function revalidated(answer: SiteResponse, visibility: Visibility): SiteResponse {
  if (visibility === 'private') return answer
  const headers = [...answer.headers]
  const at = headers.indexOf('Cache-Control')
  if (at !== -1) headers[at + 1] = 'no-cache'
  return { ...answer, headers }
}

/** Appends the request's query, unless the rule has one; without secrets, since this may be another host. */
export function formatAddress({ path, query, fragment }: Address, requestQuery: string): string {
  return `${path}${query || withoutSecrets(requestQuery)}${fragment}`
}
