/** Every environment variable that a node reads: its name, type, default and meaning. */
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  addresses,
  baseUrl,
  count,
  countOrNone,
  file,
  flag,
  hostName,
  hostNames,
  issuer,
  jwtSecret,
  key32,
  origins,
  port,
  proxies,
  rateSetting,
  resolvers,
  roleNames,
  roles,
  storageSetting,
} from './kinds.ts'

const mebibyte = 1024 * 1024

/** The variables by name, in the order in which the README shows them; `shown` is the default as a person reads it. */
export const environmentSchema = z.object({
  SVC_DATA_DIR: z
    .string()
    .min(1)
    .default('.svc')
    .transform((path) => resolve(path))
    .meta({ shown: '`.svc`', description: 'embedded database, blobs, encryption key, lock' }),
  SVC_PORT: port.default(3000).meta({ shown: '3000', description: 'port of the API' }),
  SVC_TLS_PORT: port.optional().meta({ shown: 'off', description: 'port of the API over HTTPS' }),
  SVC_TLS_CERT: file.meta({
    shown: 'none',
    description: 'PEM file with the certificate and its issuers; read again when it changes',
  }),
  SVC_TLS_KEY: file.meta({ shown: 'none', description: 'PEM file with the key of the certificate' }),
  SVC_TLS_SELF_SIGNED: flag
    .default(false)
    .meta({ shown: '0', description: '1 (for development): makes a certificate in the data directory' }),
  SVC_EDGE_PORT: port.default(8080).meta({ shown: '8080', description: 'port of the sites' }),
  SVC_INTERNAL_PORT: port
    .default(9000)
    .meta({ shown: '9000', description: 'port of what only operators and their proxies may ask' }),
  SVC_INTERNAL_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ shown: '`127.0.0.1`', description: 'address on which that port listens' }),
  SVC_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ shown: '`127.0.0.1`', description: 'address to listen on' }),
  SVC_URL: baseUrl.optional().meta({ shown: 'from the port', description: 'public base address of the API' }),
  SVC_EDGE_URL: baseUrl.optional().meta({
    shown: 'from the port',
    description: 'public base address of the sites: `https://svc.site` serves `https://<name>.svc.site`',
  }),
  SVC_EDGE_ADDRESSES: addresses.optional().meta({
    shown: '`SVC_HOST`, where that is an address',
    description: 'what domains must point to: a comma list of IP addresses',
  }),
  SVC_EDGE_CNAME: hostName.optional().meta({
    shown: 'none',
    description: 'a name that leads to the sites, for domains to point to instead of addresses',
  }),
  SVC_RESOLVERS: resolvers.optional().meta({
    shown: "the system's",
    description:
      'DNS resolvers that are asked about domains and receivers of webhooks: a comma list of addresses, with a port if it is not 53',
  }),
  SVC_RESOLVE_PRIVATE: flag.default(false).meta({
    shown: '0',
    description:
      '1 (for domains inside a network): lets names such as `.internal` be claimed, and private addresses be shown and answered for ALIAS',
  }),
  SVC_DNS_PORT: port.optional().meta({ shown: 'off', description: 'port of the name server, UDP and TCP' }),
  SVC_NAMESERVERS: hostNames.default([]).meta({
    shown: 'none',
    description: 'the names of the name servers to which domains are delegated: a comma list',
  }),
  SVC_DNS_RATE: countOrNone(1_000_000).default(50).meta({
    shown: '50',
    description:
      'DNS answers a second to one network (IPv4 /24, IPv6 /56) by UDP, and as many by TCP; 0: no limit',
  }),
  SVC_ROLES: roles.default([...roleNames]).meta({
    shown: 'all',
    description: 'what this node does: a comma list of `api`, `edge`, `worker`, `dns`',
  }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'postgres://user:password@host:port/database')
    .optional()
    .meta({ shown: 'PGlite', description: 'PostgreSQL instead of the embedded database' }),
  SVC_DATABASE_CONNECTIONS: count(1_000).default(10).meta({
    shown: '10',
    description: 'most connections to PostgreSQL for queries; a node has two more, for look-ups and for news',
  }),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'redis://user:password@host:port')
    .optional()
    .meta({ shown: 'memory', description: 'Redis in which nodes share their rate limits' }),
  UPSTASH_REDIS_REST_URL: baseUrl
    .optional()
    .meta({ shown: 'memory', description: 'the same at Upstash, over HTTP' }),
  UPSTASH_REDIS_REST_TOKEN: z
    .string()
    .min(1)
    .optional()
    .meta({ shown: 'none', description: 'the token for it' }),
  SVC_RATE_FREE: rateSetting(20, 100, 'a team on the free plan'),
  SVC_RATE_PRO: rateSetting(50, 500, 'a team on the pro plan'),
  SVC_RATE_ENTERPRISE: rateSetting(200, 2_000, 'a team on the enterprise plan'),
  SVC_RATE_ANONYMOUS: rateSetting(5, 50, 'an address without a valid credential'),
  SVC_RATE_EDGE: rateSetting(20, 200, 'an address for sites, and files of large ones, that do not exist'),
  SVC_EDGE_CONNECTIONS: countOrNone(1_000_000).default(256).meta({
    shown: '256',
    description: 'connections to sites that one address (IPv6: /64) may have open; 0: no limit',
  }),
  SVC_ENCRYPTION_KEY: key32.optional().meta({
    shown: 'made in the data directory; required with `DATABASE_URL`',
    description:
      'seals `env` values; the keys for webhook secrets, upload addresses and cookies derive from it. 32 bytes, base64',
  }),
  SVC_JWT_SECRET: jwtSecret.optional().meta({
    shown: 'off',
    description:
      'signs JWTs, the same on every node; where it is set, whatever changes something needs one. At least 32 bytes',
  }),
  SVC_JWT_SECRET_PREVIOUS: jwtSecret.optional().meta({
    shown: 'none',
    description: 'the secret before, whose JWTs are still taken: for 8 hours after a change',
  }),
  SVC_OIDC_ISSUER: issuer.optional().meta({
    shown: 'off',
    description:
      'OpenID provider at which people may sign in; its redirect address: `<SVC_URL>/auth/callback/oidc`',
  }),
  SVC_OIDC_CLIENT_ID: z.string().optional().meta({
    shown: 'required with `SVC_OIDC_ISSUER`',
    description: 'what the provider calls this installation',
  }),
  SVC_OIDC_CLIENT_SECRET: z.string().optional().meta({
    shown: 'required with `SVC_OIDC_ISSUER`',
    description: 'the secret that the provider gave with it',
  }),
  SVC_OIDC_NAME: z
    .string()
    .max(100, 'at most 100 characters')
    .default('Single sign-on')
    .meta({ shown: '`Single sign-on`', description: 'what people call the provider' }),
  SVC_MAX_JSON_BYTES: count(1024 * mebibyte)
    .default(10 * mebibyte)
    .meta({ shown: '10 MiB', description: 'largest JSON body, in bytes' }),
  SVC_BODY_BYTES: count(1024 * 1024 * mebibyte)
    .default(64 * mebibyte)
    .meta({
      shown: '64 MiB',
      description: 'JSON bodies that a node takes at a time, together, in bytes; a team has a quarter of it',
    }),
  SVC_MAX_FILES: count(1_000_000)
    .default(20_000)
    .meta({ shown: '20000', description: 'most files of a deployment' }),
  SVC_MAX_FILE_BYTES: count(1024 * 1024 * mebibyte)
    .default(100 * mebibyte)
    .meta({ shown: '100 MiB', description: 'largest file, in bytes' }),
  SVC_MAX_DEPLOYMENT_BYTES: count(1024 * 1024 * mebibyte)
    .default(1024 * mebibyte)
    .meta({ shown: '1 GiB', description: 'largest deployment, in bytes' }),
  SVC_WEBHOOKS_ALLOW_PRIVATE: flag.default(false).meta({
    shown: '0',
    description:
      '1 (for development): webhooks may be delivered to private addresses, to any port and over http',
  }),
  SVC_BUILD_SANDBOX: z.enum(['bubblewrap', 'none'], '`bubblewrap` or `none`').default('bubblewrap').meta({
    shown: '`bubblewrap`',
    description: 'what keeps builds from this host; `none`: nothing, all builders are trusted',
  }),
  SVC_BUILD_NETWORK: z.enum(['none', 'host'], '`none` or `host`').default('none').meta({
    shown: '`none`',
    description: "`host`: builds may use this host's network, with all that answers there",
  }),
  SVC_BUILD_CONCURRENCY: count(64)
    .default(1)
    .meta({ shown: '1', description: 'how many builds run at a time on this node' }),
  SVC_BUILD_QUEUE: count(100_000)
    .default(100)
    .meta({ shown: '100', description: 'how many deployments of a team may wait for their build' }),
  SVC_BUILD_TIMEOUT_S: count(86_400)
    .default(600)
    .meta({ shown: '600', description: 'longest that a build may run, in seconds' }),
  SVC_QUEUE_TIMEOUT_S: count(86_400)
    .default(3_600)
    .meta({ shown: '3600', description: 'longest that a deployment waits for its build, in seconds' }),
  SVC_BUILD_MEMORY_BYTES: count(1024 * 1024 * mebibyte)
    .default(2048 * mebibyte)
    .meta({ shown: '2 GiB', description: 'most memory of a build, in bytes' }),
  SVC_BUILD_DISK_BYTES: count(1024 * 1024 * mebibyte)
    .default(4096 * mebibyte)
    .meta({ shown: '4 GiB', description: 'most that a build may have on disk, in bytes' }),
  SVC_TRUSTED_PROXIES: proxies.default([]).meta({
    shown: 'none',
    description:
      'proxies whose `X-Forwarded-*` headers are believed: a comma list of addresses, ranges, `loopback`, `linklocal`, `uniquelocal`',
  }),
  SVC_CORS_ORIGINS: origins.default([]).meta({
    shown: 'none',
    description:
      'origins whose pages may call the API: `*` or a comma list such as `https://app.example.com`',
  }),
  SVC_LOG_DAYS: count(36_500)
    .default(30)
    .meta({ shown: '30', description: 'how many days events and what builds wrote are kept' }),
  SVC_REQUEST_LOG_DAYS: count(36_500)
    .default(3)
    .meta({ shown: '3', description: 'how many days lines of requests are kept' }),
  SVC_METRICS_DAYS: count(36_500)
    .default(400)
    .meta({ shown: '400', description: 'how many days counts of requests to sites are kept' }),
  SVC_STORAGE_FREE: storageSetting('a team on the free plan'),
  SVC_STORAGE_PRO: storageSetting('a team on the pro plan'),
  SVC_STORAGE_ENTERPRISE: storageSetting('a team on the enterprise plan'),
  SVC_TRASH_DAYS: countOrNone(36_500).default(7).meta({
    shown: '7',
    description:
      'how many days stored files are kept that the database does not know; 0: they are removed when they are found',
  }),
  SVC_TRASH_BYTES: countOrNone(1024 * 1024 * 1024 * mebibyte)
    .default(10 * 1024 * mebibyte)
    .meta({ shown: '10 GiB', description: 'most that is kept of them, in bytes; the oldest go first' }),
  SVC_CLOCK_JUMP_DAYS: count(36_500).default(30).meta({
    shown: '30',
    description:
      'a clock more than so many days ahead of when it was last seen is not believed: nothing is removed for its age until it is right, or accepted with `svc admin clock accept`',
  }),
  SVC_STOP_MS: count(600_000)
    .default(10_000)
    .meta({ shown: '10000', description: 'how long a stop waits for requests under way, in milliseconds' }),
})

export type Settings = z.output<typeof environmentSchema>
