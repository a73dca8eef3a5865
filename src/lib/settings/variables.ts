/** Every environment variable of a node: name, type, default and meaning. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { httpsPort } from '../names/host-port.ts'
import { backupTarget, interval } from './backup.ts'
import {
  addresses,
  baseUrl,
  bucket,
  count,
  countOrNone,
  directoryUrl,
  email,
  file,
  flag,
  forgeHosts,
  hmacKey,
  hostName,
  hostNames,
  issuer,
  issuers,
  jwtSecret,
  key32,
  origins,
  port,
  privatePlaces,
  processes,
  proxies,
  rateSetting,
  registryHosts,
  resolvers,
  roleNames,
  roles,
  storageSetting,
} from './kinds.ts'
import { sender, smtpServer } from './mail.ts'
import { noticeSecret, noticeTarget } from './notice.ts'

/** The registries of npm and Yarn, and the fonts that a project has as `create-next-app` leaves it. */
const buildHosts = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com'],
  ...['fonts.googleapis.com', 'fonts.gstatic.com'],
].map((name) => ({ name, port: httpsPort }))

const mebibyte = 1024 * 1024

/**
 * The variables in the order of `docs/settings.md`; `defaultText` is the default as documentation shows it.
 */
export const environmentSchema = z.object({
  SVC_DATA_DIR: z
    .string()
    .min(1)
    .default('.svc')
    .transform((path) => resolve(path))
    .meta({ defaultText: '`.svc`', description: 'embedded database, blobs, encryption key, lock' }),
  SVC_BLOBS: bucket.optional().meta({
    defaultText: 'files in the data directory',
    description: 'S3 bucket for the files of sites, shared by all nodes: `s3://<bucket>/<prefix>`',
  }),
  SVC_S3_ENDPOINT: baseUrl.optional().meta({
    defaultText: "AWS's of the region",
    description: 'base address of another S3 service',
  }),
  SVC_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'a region such as eu-central-1')
    .default('us-east-1')
    .meta({
      defaultText: '`us-east-1`',
      description: 'region of the bucket',
    }),
  SVC_S3_ACCESS_KEY_ID: z.string().min(1).optional().meta({
    defaultText: 'required with `SVC_BLOBS`',
    description: 'access key; this and the next two are read from `AWS_*`, too',
  }),
  SVC_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().meta({
    defaultText: 'required with `SVC_BLOBS`',
    description: 'its secret',
  }),
  SVC_S3_SESSION_TOKEN: z.string().min(1).optional().meta({
    defaultText: 'none',
    description: 'session token of temporary credentials',
  }),
  SVC_S3_PATH_STYLE: flag.optional().meta({
    defaultText: '1 with `SVC_S3_ENDPOINT`',
    description: '1: the bucket is in the path, 0: in the host name',
  }),
  SVC_S3_DIRECT_UPLOADS: flag.default(true).meta({
    defaultText: '1',
    description: "0: no client uploads straight to the bucket, for instance because they can't reach it",
  }),
  SVC_CACHE_BYTES: count(1024 * 1024 * 1024 * mebibyte)
    .default(10 * 1024 * mebibyte)
    .meta({
      defaultText: '10 GiB',
      description: 'with `SVC_BLOBS`: maximum size of the files cached in the data directory, in bytes',
    }),
  SVC_DISK_RESERVE: countOrNone(1024 ** 5)
    .optional()
    .meta({
      defaultText: '5 % or 1 GiB, whichever is less',
      description:
        'space on the disk of `SVC_DATA_DIR` that uploads, pushes and builds leave free, in bytes; ' +
        '0: none',
    }),
  SVC_BACKUP_EVERY: interval.optional().meta({
    defaultText: 'off',
    description: 'how often a backup is made, by one of all nodes: `24h`, or a number of `m`, `h` or `d`',
  }),
  SVC_BACKUP_TO: backupTarget.optional().meta({
    defaultText: 'required with `SVC_BACKUP_EVERY`',
    description:
      'where they go: a directory outside of `SVC_DATA_DIR`, ' +
      'or `s3://<bucket>/<prefix>` with the settings `SVC_S3_*`',
  }),
  SVC_BACKUP_KEEP: count(10_000).default(7).meta({
    defaultText: '7',
    description: 'how many of them are kept; an older one goes once a newer one has been verified',
  }),
  SVC_PORT: port.default(3000).meta({ defaultText: '3000', description: 'port of the API' }),
  SVC_TLS_PORT: port.optional().meta({ defaultText: 'off', description: 'port of the API over HTTPS' }),
  SVC_TLS_CERT: file.meta({
    defaultText: 'none',
    description: 'PEM file with the certificate and its issuers; read again when it changes',
  }),
  SVC_TLS_KEY: file.meta({ defaultText: 'none', description: 'PEM file with the key of the certificate' }),
  SVC_TLS_SELF_SIGNED: flag.default(false).meta({
    defaultText: '0',
    description: '1 (for development): makes a certificate in the data directory',
  }),
  SVC_EDGE_PORT: port.default(8080).meta({ defaultText: '8080', description: 'port of the sites' }),
  SVC_EDGE_TLS_PORT: port.optional().meta({
    defaultText: 'off',
    description: 'port of the sites over HTTPS, with `SVC_ACME` or a certificate',
  }),
  SVC_EDGE_TLS_CERT: file.meta({
    defaultText: 'none',
    description:
      "PEM file with a certificate for the sites' domain and its names (`*.svc.site`); " +
      'read again when it changes',
  }),
  SVC_EDGE_TLS_KEY: file.meta({
    defaultText: 'none',
    description: 'PEM file with the key of that certificate',
  }),
  SVC_EDGE_HTTPS_REDIRECT: flag.default(true).meta({
    defaultText: '1',
    description:
      'with `SVC_EDGE_TLS_PORT`, requests over HTTP for names with a certificate are led to HTTPS; ' +
      '0: they are served',
  }),
  SVC_ACME: flag.default(false).meta({
    defaultText: '0',
    description:
      '1: gets certificates for domains, for the sites and for the API from a certificate authority',
  }),
  SVC_ACME_DIRECTORY: directoryUrl.default('https://acme-v02.api.letsencrypt.org/directory').meta({
    defaultText: "Let's Encrypt",
    description: 'ACME directory of the certificate authority',
  }),
  SVC_ACME_EMAIL: email.optional().meta({
    defaultText: 'none',
    description: 'address at which the authority reaches the operator',
  }),
  SVC_ACME_CA: file.meta({
    defaultText: "Node's own",
    description: 'PEM file with the certificate that a private authority is trusted by',
  }),
  SVC_ACME_EAB_KID: z.string().min(1).optional().meta({
    defaultText: 'none',
    description: 'key id of an existing account (external account binding), where the authority wants one',
  }),
  SVC_ACME_EAB_HMAC: hmacKey.optional().meta({
    defaultText: 'required with `SVC_ACME_EAB_KID`',
    description: 'its HMAC key, base64url',
  }),
  SVC_INTERNAL_PORT: port.default(9000).meta({
    defaultText: '9000',
    description: 'port for operators: health, metrics, and questions of proxies',
  }),
  SVC_INTERNAL_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ defaultText: '`127.0.0.1`', description: 'address on which that port listens' }),
  SVC_DASHBOARD: z.enum(['on', 'off'], '`on` or `off`').default('on').meta({
    defaultText: '`on`',
    description: '`off`: the API serves no dashboard, and `npm start` builds none',
  }),
  SVC_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ defaultText: '`127.0.0.1`', description: 'address to listen on' }),
  SVC_URL: baseUrl
    .optional()
    .meta({ defaultText: 'from the port', description: 'public base address of the API' }),
  SVC_EDGE_URL: baseUrl.optional().meta({
    defaultText: 'from the port',
    description: 'public base address of the sites: `https://svc.site` serves `https://<name>.svc.site`',
  }),
  SVC_EDGE_ADDRESSES: addresses.optional().meta({
    defaultText: '`SVC_HOST`, where that is an address',
    description: 'what domains must point to: a comma list of IP addresses',
  }),
  SVC_EDGE_CNAME: hostName.optional().meta({
    defaultText: 'none',
    description: 'host name of the sites, for domains to point to instead of addresses',
  }),
  SVC_RESOLVERS: resolvers.optional().meta({
    defaultText: "the system's",
    description:
      'DNS resolvers for domains and webhook receivers: a comma list of addresses, with a port if not 53',
  }),
  SVC_RESOLVE_PRIVATE: flag.default(false).meta({
    defaultText: '0',
    description:
      '1 (for domains inside a network): allows claims of names such as `.internal`, ' +
      'and private addresses in domain checks and ALIAS answers',
  }),
  SVC_DNS_PORT: port
    .optional()
    .meta({ defaultText: 'off', description: 'port of the name server, UDP and TCP' }),
  SVC_NAMESERVERS: hostNames.default([]).meta({
    defaultText: 'none',
    description: 'host names of the name servers that domains are delegated to: a comma list',
  }),
  SVC_DNS_RATE: countOrNone(1_000_000).default(50).meta({
    defaultText: '50',
    description:
      'DNS responses per second and network (IPv4 /24, IPv6 /56) over UDP, and as many over TCP; 0: no limit',
  }),
  SVC_ROLES: roles.default([...roleNames]).meta({
    defaultText: 'all',
    description: 'roles of this node: a comma list of `api`, `edge`, `worker`, `dns`',
  }),
  SVC_PROCESSES: processes.default(1).meta({
    defaultText: '1',
    description:
      'processes of the roles `api` and `edge`, which share their ports: ' +
      'a number, or `auto` for one per core; more than one needs `DATABASE_URL`',
  }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'postgres://user:password@host:port/database')
    .optional()
    .meta({ defaultText: 'PGlite', description: 'PostgreSQL instead of the embedded database' }),
  SVC_DATABASE_CONNECTIONS: count(1_000)
    .default(10)
    .meta({
      defaultText: '10',
      description:
        'maximum connections to PostgreSQL for queries; ' +
        'each process opens two more, for lookups and notifications',
    }),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'redis://user:password@host:port')
    .optional()
    .meta({ defaultText: 'memory', description: 'Redis for rate limits shared by all nodes' }),
  UPSTASH_REDIS_REST_URL: baseUrl
    .optional()
    .meta({ defaultText: 'memory', description: 'the same at Upstash, over HTTP' }),
  UPSTASH_REDIS_REST_TOKEN: z
    .string()
    .min(1)
    .optional()
    .meta({ defaultText: 'none', description: 'the token for it' }),
  SVC_RATE_FREE: rateSetting(20, 100, 'a team on the free plan'),
  SVC_RATE_PRO: rateSetting(50, 500, 'a team on the pro plan'),
  SVC_RATE_ENTERPRISE: rateSetting(200, 2_000, 'a team on the enterprise plan'),
  SVC_RATE_SESSION: rateSetting(20, 200, 'a signed-in person'),
  SVC_RATE_STREAMS: rateSetting(10, 10, 'a team for opening event streams'),
  SVC_RATE_ANONYMOUS: rateSetting(5, 50, 'an address without a valid credential'),
  SVC_RATE_EDGE: rateSetting(20, 200, 'an address for unknown sites, and unknown files of large sites'),
  SVC_EDGE_CONNECTIONS: countOrNone(1_000_000)
    .default(256)
    .meta({
      defaultText: '256',
      description:
        'open connections per address (IPv6: /64): so many to the sites, and as many to the API, whatever ' +
        'roles the node has; further ones are closed, and logged once a minute; 0: no limit',
    }),
  SVC_ENCRYPTION_KEY: key32.optional().meta({
    defaultText: 'made in the data directory; required with `DATABASE_URL`',
    description:
      'encrypts `env` values; the keys for webhook secrets, upload URLs and cookies are derived from it. ' +
      '32 bytes, base64',
  }),
  SVC_JWT_SECRET: jwtSecret.optional().meta({
    defaultText: 'off',
    description:
      'signs JWTs, the same on every node; ' +
      'if set, every request that changes something needs a JWT. At least 32 bytes',
  }),
  SVC_JWT_SECRET_PREVIOUS: jwtSecret.optional().meta({
    defaultText: 'none',
    description: 'the previous secret, whose JWTs are still accepted; needed for 8 hours after a change',
  }),
  SVC_OIDC_ISSUER: issuer.optional().meta({
    defaultText: 'off',
    description: 'OpenID provider for sign-in; its redirect URL: `<SVC_URL>/auth/callback/oidc`',
  }),
  SVC_OIDC_CLIENT_ID: z.string().optional().meta({
    defaultText: 'required with `SVC_OIDC_ISSUER`',
    description: 'client id at the provider',
  }),
  SVC_OIDC_CLIENT_SECRET: z.string().optional().meta({
    defaultText: 'required with `SVC_OIDC_ISSUER`',
    description: 'client secret at the provider',
  }),
  SVC_OIDC_NAME: z
    .string()
    .max(100, 'at most 100 characters')
    .default('Single sign-on')
    .meta({ defaultText: '`Single sign-on`', description: 'name of the provider on the sign-in page' }),
  SVC_OIDC_TRUST: issuers.default([]).meta({
    defaultText: 'none',
    description:
      'comma list of more issuers whose identity tokens projects may trust, besides GitHub Actions and ' +
      'GitLab.com: `https://gitlab.example.com,https://ci.example.com`',
  }),
  SVC_GIT_PROCESSES: count(64)
    .default(8)
    .meta({
      defaultText: '8',
      description:
        'processes of git on this node that read what was pushed, or fetch: they may use a quarter of the ' +
        'memory together, and are fewer where each would have less than 256 MiB',
    }),
  SVC_GIT_HOSTS: forgeHosts.default([]).meta({
    defaultText: 'none',
    description:
      'forges at private addresses that commits may be fetched from: ' +
      'a comma list of host names, with a port if not 443',
  }),
  SVC_GIT_CA: file.meta({
    defaultText: "Node's own",
    description:
      'PEM file with the certificates of more authorities, ' +
      'which forges are trusted by when commits are fetched',
  }),
  SVC_SMTP_URL: smtpServer.optional().meta({
    defaultText: 'off',
    description:
      'server that takes mails for people (forgotten passwords, invitations): ' +
      '`smtps://user:password@mail.example.com:465`, or `smtp://` for STARTTLS, ' +
      'which only this machine itself may lack',
  }),
  SVC_SMTP_FROM: sender.optional().meta({
    defaultText: 'required with `SVC_SMTP_URL`',
    description: 'sender of the mails: `svc <svc@example.com>`',
  }),
  SVC_OPERATOR_NOTICE: noticeTarget.optional().meta({
    defaultText: 'off',
    description:
      'where alerts are sent when they begin, daily, and when they are over: `mailto:ops@example.com`, ' +
      'by `SVC_SMTP_URL`, or an https address that takes webhooks',
  }),
  SVC_OPERATOR_NOTICE_SECRET: noticeSecret.optional().meta({
    defaultText: 'required with an https address',
    description: 'signs those webhooks: `whsec_` and base64',
  }),
  SVC_MAX_JSON_BYTES: count(1024 * mebibyte)
    .default(10 * mebibyte)
    .meta({ defaultText: '10 MiB', description: 'maximum size of a JSON body, in bytes' }),
  SVC_BODY_BYTES: count(1024 * 1024 * mebibyte)
    .default(64 * mebibyte)
    .meta({
      defaultText: '64 MiB',
      description:
        'maximum size of all JSON bodies that a node holds at a time, in bytes; a quarter of it per team',
    }),
  SVC_MAX_FILES: count(1_000_000)
    .default(20_000)
    .meta({ defaultText: '20000', description: 'maximum files of a deployment' }),
  SVC_MAX_FILE_BYTES: count(1024 * 1024 * mebibyte)
    .default(100 * mebibyte)
    .meta({ defaultText: '100 MiB', description: 'maximum size of a file, in bytes' }),
  SVC_MAX_DEPLOYMENT_BYTES: count(1024 * 1024 * mebibyte)
    .default(1024 * mebibyte)
    .meta({ defaultText: '1 GiB', description: 'maximum size of a deployment, in bytes' }),
  SVC_WEBHOOKS_ALLOW_PRIVATE: flag.default(false).meta({
    defaultText: '0',
    description: '1 (for development): webhooks may go to private addresses, to any port and over http',
  }),
  SVC_FORWARD_PRIVATE: flag.default(false).meta({
    defaultText: '0',
    description:
      '1: rules of `_redirects` may pass requests on to private addresses, inside your network, too',
  }),
  SVC_NODE: z
    .string()
    .min(1)
    .default(process.execPath)
    .transform((path) => resolve(path))
    .meta({
      defaultText: "the node's own",
      description: 'the Node that builds and servers run with: the path of its program',
    }),
  SVC_BUILD_SANDBOX: z.enum(['bubblewrap', 'none'], '`bubblewrap` or `none`').default('bubblewrap').meta({
    defaultText: '`bubblewrap`',
    description: 'sandbox of builds; `none`: no isolation, all builders are trusted',
  }),
  SVC_BUILD_NETWORK: z
    .enum(['none', 'registries', 'host'], '`none`, `registries` or `host`')
    .optional()
    .meta({
      defaultText: '`registries`',
      description:
        '`registries`: builds reach package registries and fonts alone; ' +
        "`host`: this host's network, and everything reachable there",
    }),
  SVC_BUILD_HOSTS: registryHosts.default(buildHosts).meta({
    defaultText: buildHosts.map(({ name }) => `\`${name}\``).join(', '),
    description:
      'registries, and hosts of fonts, for `SVC_BUILD_NETWORK=registries`: a comma list of host names, ' +
      'with a port if not 443',
  }),
  SVC_BUILD_CONCURRENCY: count(64)
    .default(1)
    .meta({ defaultText: '1', description: 'concurrent builds on this node' }),
  SVC_BUILD_QUEUE: count(100_000)
    .default(100)
    .meta({ defaultText: '100', description: 'maximum queued deployments of a team' }),
  SVC_BUILD_TIMEOUT_S: count(86_400)
    .default(600)
    .meta({ defaultText: '600', description: 'maximum duration of a build, in seconds' }),
  SVC_QUEUE_TIMEOUT_S: count(86_400)
    .default(3_600)
    .meta({ defaultText: '3600', description: 'maximum time that a deployment is queued, in seconds' }),
  SVC_BUILD_MEMORY_BYTES: count(1024 * 1024 * mebibyte)
    .default(2048 * mebibyte)
    .meta({ defaultText: '2 GiB', description: 'maximum memory of a build, in bytes' }),
  SVC_BUILD_DISK_BYTES: count(1024 * 1024 * mebibyte)
    .default(4096 * mebibyte)
    .meta({ defaultText: '4 GiB', description: 'maximum disk space of a build, in bytes' }),
  SVC_BUILD_CACHE_BYTES: countOrNone(1024 * 1024 * mebibyte)
    .default(2048 * mebibyte)
    .meta({
      defaultText: '2 GiB',
      description: "maximum size of a team's build caches on this node, in bytes; 0: no caches",
    }),
  SVC_RUNTIME_MAX: count(1_000)
    .default(20)
    .meta({ defaultText: '20', description: 'maximum processes of servers on this node' }),
  SVC_RUNTIME_BYTES: count(1024 * 1024 * mebibyte)
    .optional()
    .meta({
      defaultText: 'half of the memory',
      description: 'memory of all servers on this node together, in bytes',
    }),
  SVC_RUNTIME_DISK_BYTES: count(1024 * 1024 * 1024 * mebibyte)
    .default(10 * 1024 * mebibyte)
    .meta({
      defaultText: '10 GiB',
      description: 'maximum size of the files of servers on this node, in bytes',
    }),
  SVC_RUNTIME_PRIVATE: privatePlaces.default([]).meta({
    defaultText: 'none',
    description:
      'places inside your network that servers of a team may connect to: a comma list of `team=host:port`, ' +
      'where the team is its id or slug, or `*` for all',
  }),
  SVC_STALE_S: countOrNone(31_536_000).default(86_400).meta({
    defaultText: '86400',
    description:
      'how long sites are served as last known while the database is away, in seconds; 0: not at all',
  }),
  SVC_TRUSTED_PROXIES: proxies.default([]).meta({
    defaultText: 'none',
    description:
      'proxies whose `X-Forwarded-*` headers are trusted: ' +
      'a comma list of addresses, ranges, `loopback`, `linklocal`, `uniquelocal`',
  }),
  SVC_PROXY_PROTOCOL: flag.default(false).meta({
    defaultText: '0',
    description:
      '1: connections from `SVC_TRUSTED_PROXIES` to the API ' +
      'and to sites begin with a PROXY header (version 1 or 2)',
  }),
  SVC_CORS_ORIGINS: origins.default([]).meta({
    defaultText: 'none',
    description:
      'origins whose pages may call the API: `*` or a comma list such as `https://app.example.com`',
  }),
  SVC_LOG_DAYS: count(36_500)
    .default(30)
    .meta({ defaultText: '30', description: 'retention of events and of lines of builds and git, in days' }),
  SVC_REQUEST_LOG_DAYS: count(36_500)
    .default(3)
    .meta({ defaultText: '3', description: 'retention of request logs, in days' }),
  SVC_RUNTIME_LOG_DAYS: count(36_500)
    .default(3)
    .meta({ defaultText: '3', description: 'retention of lines of servers, in days' }),
  SVC_METRICS_DAYS: count(36_500)
    .default(400)
    .meta({ defaultText: '400', description: 'retention of traffic metrics, in days' }),
  SVC_STORAGE_FREE: storageSetting('a team on the free plan'),
  SVC_STORAGE_PRO: storageSetting('a team on the pro plan'),
  SVC_STORAGE_ENTERPRISE: storageSetting('a team on the enterprise plan'),
  SVC_TRASH_DAYS: countOrNone(36_500).default(7).meta({
    defaultText: '7',
    description:
      'retention of stored files that the database does not reference, in days; 0: removed when found',
  }),
  SVC_TRASH_BYTES: countOrNone(1024 * 1024 * 1024 * mebibyte)
    .default(10 * 1024 * mebibyte)
    .meta({
      defaultText: '10 GiB',
      description: 'maximum size of them, in bytes; the oldest are removed first',
    }),
  SVC_CLOCK_JUMP_DAYS: count(36_500)
    .default(30)
    .meta({
      defaultText: '30',
      description:
        'the clock is not trusted when it jumps ahead by more than this many days: ' +
        'nothing expires until it is corrected, or accepted with `svc admin clock accept`',
    }),
  SVC_STOP_MS: count(600_000).default(10_000).meta({
    defaultText: '10000',
    description: 'how long a shutdown waits for running requests, in milliseconds',
  }),
})

export type Settings = z.output<typeof environmentSchema>
