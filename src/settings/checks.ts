/** Checks across settings. */
import type { Settings } from './variables.ts'

/** The first error, as a sentence; undefined if there is none. */
export function problemOf(settings: Settings): string | undefined {
  for (const check of [secrets, provider, addresses, redis, tls]) {
    const problem = check(settings)
    if (problem) return problem
  }
  return undefined
}

function secrets(settings: Settings): string | undefined {
  if (settings.DATABASE_URL && !settings.SVC_ENCRYPTION_KEY) {
    return 'SVC_ENCRYPTION_KEY is required with DATABASE_URL, the same on every node. `openssl rand -base64 32` makes one.'
  }
  if (settings.SVC_JWT_SECRET_PREVIOUS && !settings.SVC_JWT_SECRET) {
    return 'SVC_JWT_SECRET_PREVIOUS is set without SVC_JWT_SECRET, the one that signs.'
  }
  return undefined
}

function provider(settings: Settings): string | undefined {
  const needed = ['SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID', 'SVC_OIDC_CLIENT_SECRET'] as const
  const missing = needed.filter((name) => settings[name] === undefined)
  if (missing.length === 0 || missing.length === needed.length) return undefined
  return `${needed.join(', ')} belong together: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`
}

/**
 * Refuses an API at or below the sites' domain, where sites could set cookies for it. `localhost` is fine: browsers
 * don't accept cookies for it from names below it.
 */
function addresses({ SVC_URL, SVC_EDGE_URL }: Settings): string | undefined {
  if (!SVC_URL || !SVC_EDGE_URL) return undefined
  const api = new URL(SVC_URL).hostname
  const sites = new URL(SVC_EDGE_URL).hostname
  if (sites === 'localhost' || (api !== sites && !api.endsWith(`.${sites}`))) return undefined
  return `SVC_URL (${api}) must not be at or below the sites' domain (SVC_EDGE_URL, ${sites}).`
}

/** Refuses incomplete or conflicting Redis settings. */
function redis(settings: Settings): string | undefined {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = settings
  if ((UPSTASH_REDIS_REST_URL === undefined) !== (UPSTASH_REDIS_REST_TOKEN === undefined)) {
    return 'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN go together: set both or none.'
  }
  if (REDIS_URL !== undefined && UPSTASH_REDIS_REST_URL !== undefined) {
    return 'Set REDIS_URL or UPSTASH_REDIS_REST_URL, not both: limits are kept in one place.'
  }
  return undefined
}

/** Refuses incomplete or conflicting HTTPS settings, instead of starting without HTTPS. */
function tls({ SVC_TLS_PORT, SVC_TLS_CERT, SVC_TLS_KEY, SVC_TLS_SELF_SIGNED }: Settings): string | undefined {
  if (SVC_TLS_CERT && !SVC_TLS_KEY) return 'SVC_TLS_KEY is required with SVC_TLS_CERT.'
  if (SVC_TLS_KEY && !SVC_TLS_CERT) return 'SVC_TLS_CERT is required with SVC_TLS_KEY.'
  if (SVC_TLS_CERT && SVC_TLS_SELF_SIGNED) {
    return 'SVC_TLS_SELF_SIGNED makes a certificate, and SVC_TLS_CERT names one: set only one of them.'
  }
  const certificate = SVC_TLS_CERT ? 'SVC_TLS_CERT' : SVC_TLS_SELF_SIGNED && 'SVC_TLS_SELF_SIGNED'
  if (certificate && SVC_TLS_PORT === undefined) return `SVC_TLS_PORT is required with ${certificate}.`
  if (SVC_TLS_PORT === undefined || certificate) return undefined
  return 'SVC_TLS_PORT needs a certificate: set SVC_TLS_CERT and SVC_TLS_KEY, or for development SVC_TLS_SELF_SIGNED=1.'
}
