/** Decides what answers a request of a site, with its own server or without one. */
import type { FileSite } from './find-site.ts'
import { followRule, type Resolution, resolvePath } from './resolve-path.ts'
import type { Redirects } from './rules/redirects.ts'
import type { ReadRequest } from './wire/read-request.ts'

/** The site's settings and its server, which say how it is served. */
export type Serving = Pick<FileSite, 'spa'> & Partial<Pick<FileSite, 'server'>>

type Request = Pick<ReadRequest, 'method' | 'target'>

type Has = (path: string) => boolean

type Rules = Parameters<typeof resolvePath>[3]

/** Where a request goes that a site doesn't answer itself. */
export type PassedOn = Extract<Resolution, { kind: 'pass' | 'server' }>

/** The resolution of a request among the files that `has` knows, whose paths are in NFC. */
export function resolveRequest(
  { method, target }: Request,
  has: Has,
  { spa, server }: Serving,
  rules: Rules,
): Resolution {
  if (!server) return resolvePath(target, has, spa, rules)
  const isRead = method === 'GET' || method === 'HEAD'
  return resolveBeforeServer({ ...target, isRead }, has, rules?.redirects)
}

/**
 * Whatever isn't a file by its exact path is the server's, unless a rule says otherwise: it has its own pages
 * for other spellings and for what is missing. Files are read alone.
 */
function resolveBeforeServer(
  { path, escaped = path, isRead }: Request['target'] & { isRead: boolean },
  has: Has,
  redirects: Redirects | undefined,
): Resolution {
  const hasRead: Has = (each) => isRead && has(each)
  const forced = redirects?.findForced(escaped)
  if (forced) return followRule(forced, hasRead, toServer)
  // A slash that was escaped separates nothing.
  if (escaped === path && hasRead(path)) return { kind: 'file', path }
  const outcome = redirects?.find(escaped)
  return outcome ? followRule(outcome, hasRead, toServer) : toServer
}

const toServer: Resolution = { kind: 'server' }
