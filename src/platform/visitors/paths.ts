/** Where visitors of protected sites are led. */
import { platformDirectory } from '../../lib/names/platform-directory.ts'

/** Below the API's address: who is signed in there is led back to the site. */
export const visitPath = '/auth/visit'

/** Where the code of `visitPath` is redeemed, and where the form of a site's password is sent. */
export const enterPath = `/${platformDirectory}/enter`
export const passwordPath = `/${platformDirectory}/password`

/** The parameter of a share link's secret, at any path of its host. */
export const shareParameter = 'x-svc-share'

/** A path with its query that is longer, in a parameter of a URL, isn't returned to. */
export const maxReturnLength = 1_200
