/** Decides what a request gets from a site that is open to it. */
import type { Answer } from './answers/answer.ts'
import { answerFile, answerMissing } from './answers/answer-file.ts'
import type { Asset } from './answers/asset.ts'
import { chooseForm } from './answers/choose-form.ts'
import { plainAnswer, redirectAnswer } from './answers/plain-answers.ts'
import type { FileSite } from './find-site.ts'
import type { Manifest } from './manifest.ts'
import { withoutBypass } from './protection.ts'
import { resolvePath } from './resolve-path.ts'
import type { Address } from './rules/redirects.ts'
import type { SiteRequest } from './wire/read-request.ts'
import { formatPath } from './wire/target.ts'

/** An answer, and the file (in the form that was chosen) whose bytes it is made of, if any. */
export type Decision = { answer: Answer; file: Asset | undefined }

/**
 * The answer to `request` from the files and rules of `manifest`; on a protected site none of it is for shared
 * caches.
 */
export function decide(
  { method, target, head }: Pick<SiteRequest, 'method' | 'target' | 'head'>,
  { isProtected, spa }: Pick<FileSite, 'isProtected' | 'spa'>,
  manifest: Manifest,
): Decision {
  const visibility = isProtected ? 'private' : 'public'
  const resolution = resolvePath(target.path, manifest.has, spa, manifest.redirects)
  if (resolution.kind === 'redirect') {
    return { answer: redirectAnswer(formatPath(resolution.path) + target.query, visibility), file: undefined }
  }
  if (resolution.kind === 'leave') {
    const location = formatAddress(resolution.address, target.query)
    return { answer: redirectAnswer(location, visibility, resolution.status), file: undefined }
  }
  const path = resolution.kind === 'file' ? resolution.path : resolution.page
  const found = path === undefined ? undefined : manifest.get(path)
  if (!found) return { answer: plainAnswer(404, visibility), file: found }
  const file = chooseForm(found, method, head)
  const answer =
    resolution.kind === 'missing'
      ? answerMissing(file, visibility)
      : answerFile(file, visibility, method, head)
  return { answer: manifest.addHeaders?.(answer, target.path, visibility) ?? answer, file }
}

/** The request's query goes along, unless the rule has one, and never with a secret: this may be another host. */
function formatAddress({ path, query, fragment }: Address, requestQuery: string): string {
  return `${path}${query || withoutBypass(requestQuery)}${fragment}`
}
