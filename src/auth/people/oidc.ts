/** The OpenID provider at which people may sign in. */
import type { Settings } from '../../settings/variables.ts'

export type OidcProvider = {
  /** Its address, below which `.well-known/openid-configuration` is. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it. */
  name: string
}

/** The provider's name in paths and rows: there is one at most. */
export const providerId = 'oidc'

/** The provider that the settings tell of, if they do. */
export function oidcProvider(settings: Settings): OidcProvider | undefined {
  const {
    SVC_OIDC_ISSUER: issuer,
    SVC_OIDC_CLIENT_ID: clientId,
    SVC_OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  if (!issuer || !clientId || !clientSecret) return undefined
  return { issuer, clientId, clientSecret, name: settings.SVC_OIDC_NAME }
}
