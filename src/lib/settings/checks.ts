/** Checks across settings. */
import { isAbsolute, relative } from 'node:path'
import { roleNames } from './kinds.ts'
import type { Settings } from './variables.ts'

/** The first error, as a sentence; undefined if there is none. */
export function problemOf(settings: Settings): string | undefined {
  for (const check of [
    secrets,
    processes,
    provider,
    mail,
    notice,
    addresses,
    redis,
    tls,
    edgeTls,
    authority,
    proxyProtocol,
    builds,
    bucket,
    backups,
    nameServer,
  ]) {
    const problem = check(settings)
    if (problem) return problem
  }
  return undefined
}

function secrets(settings: Settings): string | undefined {
  if (settings.DATABASE_URL && !settings.SVC_ENCRYPTION_KEY) {
    return (
      "SVC_ENCRYPTION_KEY is required with DATABASE_URL: the installation's, the same on every node. " +
      '`openssl rand -base64 32` makes one for a new installation; to a backup belongs the one of then.'
    )
  }
  if (settings.SVC_JWT_SECRET_PREVIOUS && !settings.SVC_JWT_SECRET) {
    return 'SVC_JWT_SECRET_PREVIOUS is set without SVC_JWT_SECRET, the one that signs.'
  }
  return undefined
}

/** `auto` means as many as can be used, which is one. */
function processes({ SVC_PROCESSES, DATABASE_URL }: Settings): string | undefined {
  if (SVC_PROCESSES === 'auto' || SVC_PROCESSES === 1 || DATABASE_URL) return undefined
  return (
    `SVC_PROCESSES=${SVC_PROCESSES} needs DATABASE_URL: only one process can use the embedded database. ` +
    'Set DATABASE_URL, or SVC_PROCESSES=1.'
  )
}

function provider(settings: Settings): string | undefined {
  const needed = ['SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID', 'SVC_OIDC_CLIENT_SECRET'] as const
  const missing = needed.filter((name) => settings[name] === undefined)
  if (missing.length === 0 || missing.length === needed.length) return undefined
  return (
    `${needed.join(', ')} belong together: ` +
    `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`
  )
}

/** Refuses half of what mails need. */
function mail({ SVC_SMTP_URL, SVC_SMTP_FROM }: Settings): string | undefined {
  if (SVC_SMTP_URL && !SVC_SMTP_FROM) {
    return 'SVC_SMTP_FROM is required with SVC_SMTP_URL: the sender, such as svc <svc@example.com>.'
  }
  return SVC_SMTP_FROM && !SVC_SMTP_URL ? 'SVC_SMTP_FROM is set without SVC_SMTP_URL.' : undefined
}

/** Refuses notices that could not be sent, or not be signed. */
function notice(settings: Settings): string | undefined {
  const { SVC_OPERATOR_NOTICE: target, SVC_OPERATOR_NOTICE_SECRET: secret, SVC_SMTP_URL } = settings
  if (target?.kind === 'mail' && !SVC_SMTP_URL)
    return 'SVC_OPERATOR_NOTICE=mailto: needs a server for mails: set SVC_SMTP_URL and SVC_SMTP_FROM.'
  if (target?.kind === 'webhook' && !secret)
    return (
      'SVC_OPERATOR_NOTICE_SECRET is required with the https address in SVC_OPERATOR_NOTICE: ' +
      'it signs what is sent there. `echo whsec_$(openssl rand -base64 32)` makes one.'
    )
  if (secret && target?.kind !== 'webhook')
    return 'SVC_OPERATOR_NOTICE_SECRET is set without an https address in SVC_OPERATOR_NOTICE.'
  return undefined
}

/**
 * Refuses an API at or below the sites' domain, where sites could set cookies for it. `localhost` is fine:
 * browsers don't accept cookies for it from names below it.
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
function tls(settings: Settings): string | undefined {
  const { SVC_TLS_PORT, SVC_TLS_CERT, SVC_TLS_KEY, SVC_TLS_SELF_SIGNED, SVC_ACME, SVC_URL } = settings
  if (SVC_TLS_CERT && !SVC_TLS_KEY) return 'SVC_TLS_KEY is required with SVC_TLS_CERT.'
  if (SVC_TLS_KEY && !SVC_TLS_CERT) return 'SVC_TLS_CERT is required with SVC_TLS_KEY.'
  if (SVC_TLS_CERT && SVC_TLS_SELF_SIGNED) {
    return 'SVC_TLS_SELF_SIGNED makes a certificate, and SVC_TLS_CERT names one: set only one of them.'
  }
  const certificate = SVC_TLS_CERT ? 'SVC_TLS_CERT' : SVC_TLS_SELF_SIGNED && 'SVC_TLS_SELF_SIGNED'
  if (certificate && SVC_TLS_PORT === undefined) return `SVC_TLS_PORT is required with ${certificate}.`
  if (SVC_TLS_PORT === undefined || certificate) return undefined
  if (SVC_ACME && SVC_URL?.startsWith('https:')) return undefined
  if (SVC_ACME)
    return 'SVC_TLS_PORT with SVC_ACME needs SVC_URL, an https address whose host gets the certificate.'
  return (
    'SVC_TLS_PORT needs a certificate: ' +
    'set SVC_TLS_CERT and SVC_TLS_KEY, or SVC_ACME=1, or for development SVC_TLS_SELF_SIGNED=1.'
  )
}

/** Refuses incomplete settings of HTTPS for sites. */
function edgeTls(settings: Settings): string | undefined {
  const { SVC_EDGE_TLS_PORT, SVC_EDGE_TLS_CERT, SVC_EDGE_TLS_KEY, SVC_ACME } = settings
  if (SVC_EDGE_TLS_CERT && !SVC_EDGE_TLS_KEY) return 'SVC_EDGE_TLS_KEY is required with SVC_EDGE_TLS_CERT.'
  if (SVC_EDGE_TLS_KEY && !SVC_EDGE_TLS_CERT) return 'SVC_EDGE_TLS_CERT is required with SVC_EDGE_TLS_KEY.'
  if (SVC_EDGE_TLS_CERT && SVC_EDGE_TLS_PORT === undefined) {
    return 'SVC_EDGE_TLS_PORT is required with SVC_EDGE_TLS_CERT.'
  }
  if (SVC_EDGE_TLS_PORT === undefined || SVC_EDGE_TLS_CERT || SVC_ACME) return undefined
  return 'SVC_EDGE_TLS_PORT needs certificates: set SVC_ACME=1, or SVC_EDGE_TLS_CERT and SVC_EDGE_TLS_KEY.'
}

/** Refuses headers of proxies from everybody. */
function proxyProtocol({ SVC_PROXY_PROTOCOL, SVC_TRUSTED_PROXIES }: Settings): string | undefined {
  if (!SVC_PROXY_PROTOCOL || SVC_TRUSTED_PROXIES.length > 0) return undefined
  return 'SVC_PROXY_PROTOCOL needs SVC_TRUSTED_PROXIES: the addresses of the proxies that send the header.'
}

/** Refuses half an account at a certificate authority. */
function authority({ SVC_ACME_EAB_KID, SVC_ACME_EAB_HMAC }: Settings): string | undefined {
  if ((SVC_ACME_EAB_KID === undefined) === (SVC_ACME_EAB_HMAC === undefined)) return undefined
  return 'SVC_ACME_EAB_KID and SVC_ACME_EAB_HMAC go together: set both or none.'
}

/** Refuses to let builds reach more than was set: only the sandbox has a way to registries alone. */
function builds({ SVC_BUILD_SANDBOX, SVC_BUILD_NETWORK }: Settings): string | undefined {
  if (SVC_BUILD_SANDBOX !== 'none' || SVC_BUILD_NETWORK !== 'registries') return undefined
  return (
    'SVC_BUILD_NETWORK=registries needs the sandbox: ' +
    'without one (SVC_BUILD_SANDBOX=none) builds reach everything.'
  )
}

/** S3 copies no larger objects. */
const maxObjectBytes = 5 * 1024 ** 3

/** Refuses incomplete settings of S3. */
function bucket(settings: Settings): string | undefined {
  const { SVC_BLOBS, SVC_S3_ACCESS_KEY_ID, SVC_S3_SECRET_ACCESS_KEY, SVC_MAX_FILE_BYTES } = settings
  if (!SVC_BLOBS) return undefined
  if (!SVC_S3_ACCESS_KEY_ID || !SVC_S3_SECRET_ACCESS_KEY) {
    return (
      'SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY are required with SVC_BLOBS ' +
      '(or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).'
    )
  }
  if (SVC_MAX_FILE_BYTES <= maxObjectBytes) return undefined
  return `SVC_MAX_FILE_BYTES must be at most ${maxObjectBytes} (5 GiB) with SVC_BLOBS.`
}

/** Refuses half a schedule, and one whose backups would be lost with the data. */
function backups(settings: Settings): string | undefined {
  const { SVC_BACKUP_EVERY: every, SVC_BACKUP_TO: to, SVC_DATA_DIR } = settings
  if (every !== undefined && !to)
    return 'SVC_BACKUP_TO is required with SVC_BACKUP_EVERY: a directory, or s3://<bucket>/<prefix>.'
  if (to && every === undefined)
    return 'SVC_BACKUP_TO is set without SVC_BACKUP_EVERY, which says how often, such as 24h.'
  if (to?.kind !== 'directory' || !isAtOrBelow(to.place, SVC_DATA_DIR)) return undefined
  return `SVC_BACKUP_TO (${to.place}) is in SVC_DATA_DIR: name a place outside, such as /var/backups/svc.`
}

/** Whether a path is a directory, or in it; both are absolute. */
function isAtOrBelow(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return !isAbsolute(way) && !/^\.\.(\/|$)/.test(way)
}

/** Refuses a node that would do nothing. */
function nameServer({ SVC_ROLES: roles, SVC_DNS_PORT: port }: Settings): string | undefined {
  if (port !== undefined || roles.some((role) => role !== 'dns')) return undefined
  return 'SVC_DNS_PORT is required with SVC_ROLES=dns.'
}

/** Settings that are probably mistakes, in a sentence each. */
export function warningsOf(settings: Settings): string[] {
  const { SVC_ROLES: roles, SVC_DNS_PORT, DATABASE_URL, SVC_SMTP_URL, SVC_URL } = settings
  const isChosen = roles.length < roleNames.length
  const lacksPort = isChosen && roles.includes('dns') && SVC_DNS_PORT === undefined
  const lacksUrl = roles.includes('edge') && !roles.includes('api') && SVC_URL === undefined
  const lacksDatabase = !roles.includes('api') && DATABASE_URL === undefined
  return [
    ...(lacksPort ? ['SVC_ROLES has dns, but SVC_DNS_PORT is not set: no name server is started.'] : []),
    ...(lacksDatabase
      ? [
          'SVC_ROLES has no api, and DATABASE_URL is not set: this node has a database of its own, ' +
            'and nobody fills it. Set DATABASE_URL to the PostgreSQL of the other nodes.',
        ]
      : []),
    ...(lacksUrl
      ? [
          'SVC_ROLES has edge and no api, and SVC_URL is not set: ' +
            "nobody can sign in to visit a protected site here. Set SVC_URL to the API's address.",
        ]
      : []),
    ...(SVC_SMTP_URL && !SVC_URL
      ? ['SVC_SMTP_URL is set, but not SVC_URL: the links in mails work on this machine only.']
      : []),
  ]
}
