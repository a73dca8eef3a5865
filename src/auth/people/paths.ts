/** Paths of sign-in, below the API's address, and the header with the client's address. */

export const basePath = '/auth'

/** The path of a one-time link. */
export const linkPath = `${basePath}/link`

/** Where a failed sign-in at the provider ends. */
export const errorPath = `${basePath}/error`

/** Set by the server to the client's address; the same header from the client must be removed. */
export const addressHeader = 'x-svc-client-address'
