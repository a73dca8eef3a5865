/** The statuses of redirects (RFC 9110, section 15.4). */

/** The statuses of redirects of a whole host: 303 responds to one request only. */
export const hostRedirectStatuses = [301, 302, 307, 308] as const

/** The statuses of redirects of a path. */
export const redirectStatuses = [...hostRedirectStatuses, 303] as const

export type HostRedirectStatus = (typeof hostRedirectStatuses)[number]

export type RedirectStatus = (typeof redirectStatuses)[number]
