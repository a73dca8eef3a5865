/** Sentences about what answers in place of the API: a proxy in front of it, or another server. */
import { isOfGateway } from '../../api/client/retry-after.ts'
import { size } from '../terminal/format.ts'

/** The sentence about a status that passes. */
export function unavailableAt(url: string, status: number): string {
  const why = isOfGateway(status) ? 'a proxy in front of it got no answer, ' : ''
  return `${url} is unavailable (${why}status ${status}). Try again later.`
}

/** The sentence about a 413 that isn't the API's. `bytes` were sent; undefined for no body. */
export function tooLargeFor(url: string, bytes: number | undefined): string {
  const what = bytes === undefined ? 'the request' : `a body of ${size(bytes)}`
  return (
    `A proxy in front of ${url} refuses ${what} (status 413). Raise its limit to that of the server, ` +
    'SVC_MAX_FILE_BYTES: client_max_body_size in nginx.'
  )
}

/** The sentence about any other status. */
export function foreignAt(url: string, status: number): string {
  return (
    `${url} answered ${status} with a page that is no svc API's: is something in front of it? ` +
    'Otherwise set SVC_URL (or --url) to the address of an svc API.'
  )
}
