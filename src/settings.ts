/** Every environment variable that a node reads: its name, type, default and meaning. Nothing else of it reads `process.env`. */
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import leven from 'leven'
import { z } from 'zod'

const roleNames = ['api', 'edge', 'worker'] as const
export type RoleName = (typeof roleNames)[number]

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'a port from 0 to 65535')

function count(max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `a whole number from 1 to ${max}`)
}

const baseUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    return (
      ['http:', 'https:'].includes(url.protocol) &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !url.username
    )
  }, 'an address such as https://svc.example.com, without a path')
  .transform((text) => new URL(text).origin)

const issuer = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && here)) && !search && !hash
}, 'the https address of an OpenID provider, as it stands in its `issuer`')

const roles = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(roleNames, `a comma list of ${roleNames.join(', ')}`)).min(1))

const key32 = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    '32 bytes in base64, as `openssl rand -base64 32` prints',
  )

const jwtSecret = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) >= 32,
    'at least 32 bytes that nobody can guess, as `openssl rand -base64 32` prints',
  )
const rateHint =
  'requests a second and at once, such as 20/100, of which the second is no less than the first'

const rate = z
  .string()
  .regex(/^\d{1,6}\/\d{1,6}$/, rateHint)
  .transform((text) => {
    const [perSecond = 0, burst = 0] = text.split('/').map(Number)
    return { perSecond, burst }
  })
  .refine(({ perSecond, burst }) => perSecond >= 1 && burst >= perSecond, rateHint)

function rateSetting(perSecond: number, burst: number, whose: string) {
  return rate.default({ perSecond, burst }).meta({
    shown: `\`${perSecond}/${burst}\``,
    description: `requests a second, and at once, of ${whose}`,
  })
}

const flag = z.enum(['0', '1'], '0 or 1').transform((text) => text === '1')

/** Names of ranges: this machine, link-local and private addresses. */
const ranges = ['loopback', 'linklocal', 'uniquelocal']

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  if (bits === undefined || more.length > 0) return ranges.includes(text)
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}

const listOf = (text: string) => text.split(',').map((each) => each.trim())

const proxies = z
  .string()
  .transform(listOf)
  .refine(
    (list) => list.every(isAddressOrRange),
    `a comma list of addresses, ranges such as 10.0.0.0/8, or ${ranges.join(', ')}`,
  )

const origins = z.union(
  [z.literal('*').transform(() => ['*']), z.string().transform(listOf).pipe(z.array(baseUrl))],
  '* or a comma list of origins such as https://app.example.com',
)

const file = z
  .string()
  .transform((path) => resolve(path))
  .optional()

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
  SVC_ROLES: roles
    .default([...roleNames])
    .meta({ shown: 'all', description: 'what this node does: a comma list of `api`, `edge`, `worker`' }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'postgres://user:password@host:port/database')
    .optional()
    .meta({ shown: 'PGlite', description: 'PostgreSQL instead of the embedded database' }),
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
  SVC_ENCRYPTION_KEY: key32.optional().meta({
    shown: 'made in the data directory; required with `DATABASE_URL`',
    description:
      'seals `env` values; the keys for upload addresses and cookies derive from it. 32 bytes, base64',
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
  SVC_MAX_FILES: count(1_000_000)
    .default(20_000)
    .meta({ shown: '20000', description: 'most files of a deployment' }),
  SVC_MAX_FILE_BYTES: count(1024 * 1024 * mebibyte)
    .default(100 * mebibyte)
    .meta({ shown: '100 MiB', description: 'largest file, in bytes' }),
  SVC_MAX_DEPLOYMENT_BYTES: count(1024 * 1024 * mebibyte)
    .default(1024 * mebibyte)
    .meta({ shown: '1 GiB', description: 'largest deployment, in bytes' }),
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
  SVC_STOP_MS: count(600_000)
    .default(10_000)
    .meta({ shown: '10000', description: 'how long a stop waits for requests under way, in milliseconds' }),
})

export type Settings = z.output<typeof environmentSchema>

const names = Object.keys(environmentSchema.shape)

/** A setting that the program can't start with; the message names it. */
export class SettingsError extends Error {}

/** What the process was started with, `.env` in `directory` below it. */
export function readEnvironment(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const file = resolve(directory, '.env')
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return { ...fromFile, ...environment }
}

/**
 * The settings in `environment`, where an empty value counts as none.
 * @throws SettingsError naming each wrong variable.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(names.map((name) => [name, environment[name] || undefined]))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])} should be ${issue.message}.`)
    throw new SettingsError([...new Set(lines)].join('\n'))
  }
  if (parsed.data.DATABASE_URL && !parsed.data.SVC_ENCRYPTION_KEY) {
    throw new SettingsError(
      'SVC_ENCRYPTION_KEY is required with DATABASE_URL, the same on every node. `openssl rand -base64 32` makes one.',
    )
  }
  if (parsed.data.SVC_JWT_SECRET_PREVIOUS && !parsed.data.SVC_JWT_SECRET) {
    throw new SettingsError('SVC_JWT_SECRET_PREVIOUS is set without SVC_JWT_SECRET, the one that signs.')
  }
  checkProvider(parsed.data)
  checkAddresses(parsed.data)
  checkRedis(parsed.data)
  checkTls(parsed.data)
  return parsed.data
}

function checkProvider(settings: Settings): void {
  const needed = ['SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID', 'SVC_OIDC_CLIENT_SECRET'] as const
  const missing = needed.filter((name) => settings[name] === undefined)
  if (missing.length === 0 || missing.length === needed.length) return
  throw new SettingsError(
    `${needed.join(', ')} belong together: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
  )
}

/** Clients read their key from this one, so it may be set where a node is started too. */
const clientToken = 'SVC_TOKEN'

/** A sentence for each `SVC_*` variable that this program doesn't know, with the nearest name that it does. */
export function unknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('SVC_') && !names.includes(name) && name !== clientToken)
    .map((name) => {
      const nearest = names.reduce((best, known) => (leven(name, known) < leven(name, best) ? known : best))
      return `${name} is not a setting and has no effect. Did you mean ${nearest}?`
    })
}

/**
 * Refuses addresses at which cookies of sites and of the API would meet: an API at or below the sites' domain.
 * `localhost` is fine, since browsers don't take cookies for it from the names below it.
 */
function checkAddresses({ SVC_URL, SVC_EDGE_URL }: Settings): void {
  if (!SVC_URL || !SVC_EDGE_URL) return
  const api = new URL(SVC_URL).hostname
  const sites = new URL(SVC_EDGE_URL).hostname
  if (sites === 'localhost') return
  if (api === sites || api.endsWith(`.${sites}`)) {
    throw new SettingsError(
      `SVC_URL (${api}) must not be at or below the sites' domain (SVC_EDGE_URL, ${sites}).`,
    )
  }
}

/** Refuses half an address, and two of them. */
function checkRedis({ REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN }: Settings): void {
  if ((UPSTASH_REDIS_REST_URL === undefined) !== (UPSTASH_REDIS_REST_TOKEN === undefined)) {
    throw new SettingsError(
      'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN go together: set both or none.',
    )
  }
  if (REDIS_URL !== undefined && UPSTASH_REDIS_REST_URL !== undefined) {
    throw new SettingsError(
      'Set REDIS_URL or UPSTASH_REDIS_REST_URL, not both: limits are kept in one place.',
    )
  }
}

/** Refuses half a setting of HTTPS, which would otherwise be no HTTPS. */
function checkTls({ SVC_TLS_PORT, SVC_TLS_CERT, SVC_TLS_KEY, SVC_TLS_SELF_SIGNED }: Settings): void {
  const problem = () => {
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
  const sentence = problem()
  if (sentence) throw new SettingsError(sentence)
}
