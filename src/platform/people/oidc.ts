/** The OpenID provider for sign-in. */
import type { Settings } from '../../lib/settings/variables.ts'

export type OidcProvider = {
  /** Its issuer, below which `.well-known/openid-configuration` is. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Its name on the sign-in page. */
  name: string
}

/** The provider's id in paths and rows: there is at most one. */
export const providerId = 'oidc'

/** The provider of the settings, if any. */
export function oidcProvider(settings: Settings): OidcProvider | undefined {
  const {
    SVC_OIDC_ISSUER: issuer,
    SVC_OIDC_CLIENT_ID: clientId,
    SVC_OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  if (!issuer || !clientId || !clientSecret) return undefined
  return { issuer, clientId, clientSecret, name: settings.SVC_OIDC_NAME }
}
