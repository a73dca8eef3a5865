/** Configures better-auth. Imported at the first sign-in, since it would be most of what a start loads. */
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal'
import { bearer } from 'better-auth/plugins/bearer'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { requestField } from '../../lib/async/request-scope.ts'
import { type IdKind, newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { redactSecrets } from '../../lib/log/redact-secrets.ts'
import { asSecret } from '../../lib/secret.ts'
import type { Store } from '../../stores/db/store.ts'
import { sessionLifetimeMs } from '../callers/session-lifetime.ts'
import type { Limiter } from '../limits/limiter.ts'
import { createPeopleAdapter } from './adapter.ts'
import { fieldNames } from './adapter-rows.ts'
import { type OidcProvider, providerId } from './oidc.ts'
import { passkeyEndpoints } from './passkeys/endpoints.ts'
import { hashPassword, maxPasswordLength, minPasswordLength, verifyPassword } from './password.ts'
import { addressHeader, basePath, errorPath } from './paths.ts'
import { refusalOf } from './refusals.ts'
import { secondFactorEndpoints } from './second-factor/endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'

export type AuthOptions = {
  store: Store
  /** 32 bytes: signs cookies, and encrypts the state of a sign-in at a provider. */
  secret: Buffer
  /** Seals the secrets of second factors. */
  factorKey: Buffer
  /** Authenticates challenges for passkeys. */
  passkeyKey: Buffer
  /** Limits tries of passwords. */
  tries: Limiter
  /** The public address of the API; with https, cookies are Secure. */
  apiUrl: string
  oidc: OidcProvider | undefined
  nowMs: () => number
  log: Logger
}

const daySeconds = 86_400
const kinds: Record<string, IdKind> = { user: 'user', session: 'session', account: 'account' }

/** Handles a request below `/auth`. @throws AppError for refusals, or the store's error. */
export type AuthHandler = (request: Request) => Promise<Response>

export function createAuthHandler(options: AuthOptions): AuthHandler {
  const { handler } = betterAuth({ ...fixed, ...ofInstallation(options) })
  return async (request) => {
    const answer = await handler(request)
    if (answer.status >= 400) throw await refusalOf(answer)
    return answer
  }
}

const fixed: BetterAuthOptions = {
  appName: 'svc',
  basePath,
  emailAndPassword: {
    enabled: true,
    disableSignUp: true,
    minPasswordLength,
    maxPasswordLength,
    password: { hash: (password) => hashPassword(asSecret(password)), verify: verifyPassword },
  },
  user: { fields: fieldNames.user, validateUserInfo: requireVerifiedAddress },
  session: {
    fields: fieldNames.session,
    expiresIn: sessionLifetimeMs / 1_000,
    updateAge: daySeconds,
    freshAge: 0,
  },
  account: {
    fields: fieldNames.account,
    // Encrypted in the browser's cookie, so nothing has to be stored.
    storeStateStrategy: 'cookie',
    updateAccountOnSignIn: false,
    accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
  },
  // The API's own rate limits apply.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
}

function ofInstallation(options: AuthOptions): BetterAuthOptions {
  const { store, secret, factorKey, passkeyKey, tries, apiUrl, oidc, nowMs, log } = options
  const factors = { store, factorKey, passkeyKey, apiUrl, nowMs }
  return {
    baseURL: apiUrl,
    secrets: [{ version: 1, value: secret.toString('base64') }],
    database: createPeopleAdapter(store, { nowMs, provenBy: oidc ? 'provider' : 'password' }),
    onAPIError: { throw: true, errorURL: `${apiUrl}${errorPath}` },
    advanced: {
      cookiePrefix: 'svc',
      useSecureCookies: new URL(apiUrl).protocol === 'https:',
      // Defaults, set explicitly: they would depend on NODE_ENV.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      database: { generateId: ({ model }) => newId(idKind(model), nowMs()) },
    },
    logger: { level: 'error', log: (_level, message, ...details) => noteTrouble(log, message, details) },
    plugins: [
      bearer(),
      sessionEndpoints({ ...factors, tries }),
      secondFactorEndpoints(factors),
      passkeyEndpoints(factors),
      ...(oidc ? [genericOAuth({ config: [config(oidc)] })] : []),
    ],
  }
}

function config({ issuer, clientId, clientSecret }: OidcProvider) {
  return {
    providerId,
    discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    requireIdTokenVerification: true,
    disableProviderLogout: true,
  }
}

/** Users from a provider have an address that the provider verified. */
function requireVerifiedAddress({
  user,
  source,
}: {
  user: { emailVerified?: boolean | undefined }
  source: { method: string }
}) {
  if (source.method === 'oauth' && user.emailVerified !== true) return { error: 'email_not_verified' }
  return undefined
}

/** Mostly mistakes of clients. Only the message of an error is logged: the rest may be secret. */
function noteTrouble(log: Logger, message: string, details: unknown[]): void {
  const causes = details.flatMap((detail) => (detail instanceof Error ? [redactSecrets(detail.message)] : []))
  log.warn({ ...requestField(), part: 'auth', ...(causes.length > 0 && { causes }) }, redactSecrets(message))
}

function idKind(model: string): IdKind {
  const kind = kinds[model]
  if (!kind) throw new Error(`There is no kind of id for ${model}.`)
  return kind
}
