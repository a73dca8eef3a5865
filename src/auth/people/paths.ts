/** Where people sign in, below the API's address, and how a request tells where it comes from. */

export const basePath = '/auth'

/** Where a link leads. */
export const linkPath = `${basePath}/link`

/** Where a sign-in at the provider ends that failed. */
export const errorPath = `${basePath}/error`

/** The header in which the server tells the client's address; whatever the client itself sent in it must be gone. */
export const addressHeader = 'x-svc-client-address'
