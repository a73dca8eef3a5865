/** Paths of sign-in, below the API's address, and the header with the client's address. */

export const basePath = '/auth'

/** The page where people sign in, and where its form is sent. */
export const signInPath = `${basePath}/sign-in`

/** Where the code of a second factor, or a passkey, is sent, after the password. */
export const codePath = `${signInPath}/second-factor`

/** Where a browser asks what it may send there. */
export const codeOptionsPath = `${codePath}/options`

/** Where a passkey is sent that signs in alone. */
export const passkeyPath = `${signInPath}/passkey`

/** Where a browser asks for its challenge. */
export const passkeyOptionsPath = `${passkeyPath}/options`

/** The script of the pages where passkeys are used. */
export const passkeyScriptPath = `${basePath}/passkey.js`

/** The page that requests it, and where its form is sent. */
export const codePagePath = `${basePath}/second-factor`

/** Where the form that signs out is sent. */
export const signOutPath = `${basePath}/sign-out/form`

/** The path of a one-time link. */
export const linkPath = `${basePath}/link`

/** Where the form is sent that gives an unproven account the address of a one-time link. */
export const keepPath = `${linkPath}/keep`

/** The path of an invitation's link. */
export const joinPath = `${basePath}/join`

/** Where the form is sent with which somebody who is signed in accepts it. */
export const acceptPath = `${joinPath}/accept`

/** The page for people who forgot their password, and where its form is sent. */
export const forgotPath = `${basePath}/forgot`

/** Where a failed sign-in at the provider ends. */
export const errorPath = `${basePath}/error`

/** Set by the server to the client's address; the same header from the client must be removed. */
export const addressHeader = 'x-svc-client-address'
