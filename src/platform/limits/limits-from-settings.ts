/** The rate limits and storage quotas of the settings. */
import type { Plan } from '../../lib/plan.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import type { LimitsStore, Policies } from './open-limits.ts'
import type { OwnRates } from './own-limits.ts'
import { policyOf } from './policy.ts'

export function policiesOf(settings: Settings): Policies {
  return {
    free: policyOf('free', settings.SVC_RATE_FREE),
    pro: policyOf('pro', settings.SVC_RATE_PRO),
    enterprise: policyOf('enterprise', settings.SVC_RATE_ENTERPRISE),
    session: policyOf('session', settings.SVC_RATE_SESSION),
    streams: policyOf('streams', settings.SVC_RATE_STREAMS),
    anonymous: policyOf('anonymous', settings.SVC_RATE_ANONYMOUS),
  }
}

/** The limits of a node by itself. */
export function ownRatesOf(settings: Settings): OwnRates {
  return {
    free: settings.SVC_RATE_FREE,
    pro: settings.SVC_RATE_PRO,
    enterprise: settings.SVC_RATE_ENTERPRISE,
    session: settings.SVC_RATE_SESSION,
    streams: settings.SVC_RATE_STREAMS,
    anonymous: settings.SVC_RATE_ANONYMOUS,
    edge: settings.SVC_RATE_EDGE,
    connections: settings.SVC_EDGE_CONNECTIONS,
  }
}

export function limitsStoreOf(settings: Settings): LimitsStore {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = settings
  if (url !== undefined && token !== undefined) return { kind: 'upstash', url, token }
  return REDIS_URL === undefined ? { kind: 'memory' } : { kind: 'redis', url: REDIS_URL }
}

/** The storage quota in bytes; 0: no limit. */
export function storageLimitsOf(settings: Settings): Record<Plan, number> {
  return {
    free: settings.SVC_STORAGE_FREE,
    pro: settings.SVC_STORAGE_PRO,
    enterprise: settings.SVC_STORAGE_ENTERPRISE,
  }
}
