/** Redirects of domains. */
import { invalidField } from '../../lib/errors.ts'
import { readHostName } from '../../lib/names/domain-name.ts'

/** `to` is a host name; the path of a request stays. */
export type Redirect = { to: string; status: number }

/**
 * The redirect with its target in canonical form.
 * @throws AppError `invalid_input` for an invalid host name.
 */
export function readRedirect({ to, status }: Redirect): Redirect {
  const read = readHostName(to)
  if ('problem' in read) throw invalidField('redirect.to', read.problem)
  return { to: read.host, status }
}

/** @throws AppError `invalid_input` for a redirect to the domain itself, which would be a loop. */
export function checkRedirect(domain: string, { to }: Redirect): void {
  if (to === domain) throw invalidField('redirect.to', `${domain} can't redirect to itself`)
}
