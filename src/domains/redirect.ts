/** Where a domain sends its visitors instead of showing a site. */

import { invalidField } from '../errors.ts'
import { readHostName } from '../names/domain-name.ts'

export const redirectStatuses = [301, 302, 307, 308]

/** `to` is a host name; the path of a request stays. */
export type Redirect = { to: string; status: number }

/** The redirect with its target in normal form. @throws AppError `invalid_input` for what is no host name. */
export function readRedirect({ to, status }: Redirect): Redirect {
  const read = readHostName(to)
  if ('problem' in read) throw invalidField('redirect.to', read.problem)
  return { to: read.host, status }
}

/** @throws AppError `invalid_input` where a domain would send its visitors to itself, for ever. */
export function checkRedirect(domain: string, { to }: Redirect): void {
  if (to === domain) throw invalidField('redirect.to', `${domain} can't redirect to itself`)
}
