/** Types of setting values; each message completes "<name> should be …". */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseHostPort } from '../names/host-port.ts'
import { parseUrl } from '../names/parse-url.ts'
import { parsePrivatePlace } from '../names/private-place.ts'

export const roleNames = ['api', 'edge', 'worker', 'dns'] as const

export type RoleName = (typeof roleNames)[number]

const maxProcesses = 64

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'a port from 0 to 65535')

/** A whole number from 1 to `max`. */
export function count(max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `a whole number from 1 to ${max}`)
}

/** A number of processes, or `auto` for one per core. */
export const processes = z
  .string()
  .refine(
    (text) =>
      text === 'auto' || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= maxProcesses),
    `auto or a whole number from 1 to ${maxProcesses}`,
  )
  .transform((text) => (text === 'auto' ? text : Number(text)))

/** A whole number from 0 to `max`. */
export function countOrNone(max: number) {
  return z.union([z.literal('0').transform(() => 0), count(max)], `a whole number from 0 to ${max}`)
}

export const baseUrl = z
  .string()
  .refine((text) => {
    const url = parseUrl(text)
    return (
      url !== undefined &&
      ['http:', 'https:'].includes(url.protocol) &&
      url.pathname === '/' &&
      !url.search &&
      !url.hash &&
      !url.username
    )
  }, 'an address such as https://svc.example.com, without a path')
  .transform((text) => new URL(text).origin)

export const issuer = z.string().refine((text) => {
  const url = parseUrl(text)
  if (!url) return false
  const { protocol, hostname, search, hash } = url
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && here)) && !search && !hash
}, 'the https address of an OpenID provider, exactly as in its `issuer`')

/** The directory of an ACME server. */
export const directoryUrl = z.string().refine((text) => {
  const url = parseUrl(text)
  return url?.protocol === 'https:' && !url.username && !url.hash
}, 'the https address of an ACME directory')

export const email = z.string().refine((text) => /^[^\s@,]+@[^\s@,]+$/.test(text), 'an e-mail address')

export const hmacKey = z
  .string()
  .refine((text) => /^[\w-]{16,1024}=*$/.test(text), 'a key in base64url, as the authority shows it')

export const roles = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(roleNames, `a comma list of ${roleNames.join(', ')}`)).min(1))

export const key32 = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    '32 bytes in base64, as `openssl rand -base64 32` prints',
  )

export const jwtSecret = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) >= 32,
    'at least 32 random bytes, as `openssl rand -base64 32` prints',
  )

/** A bucket, and the prefix of its keys: empty, or ending with a slash. */
export const bucket = z.string().transform((text, { addIssue }) => {
  const [, name, path] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{0,500}))?$/.exec(text) ?? []
  const parts = (path ?? '').split('/').filter((part) => part !== '')
  if (name !== undefined && !parts.some((part) => /^\.+$/.test(part)))
    return { name, prefix: parts.map((part) => `${part}/`).join('') }
  addIssue('a bucket such as s3://my-bucket or s3://my-bucket/svc')
  return z.NEVER
})

const rateHint = 'requests per second and burst, such as 20/100, with the burst at least the rate'

const rate = z
  .string()
  .regex(/^\d{1,6}\/\d{1,6}$/, rateHint)
  .transform((text) => {
    const [perSecond = 0, burst = 0] = text.split('/').map(Number)
    return { perSecond, burst }
  })
  .refine(({ perSecond, burst }) => perSecond >= 1 && burst >= perSecond, rateHint)

/** A rate limit; `whose` names the kind of caller. */
export function rateSetting(perSecond: number, burst: number, whose: string) {
  return rate.default({ perSecond, burst }).meta({
    defaultText: `\`${perSecond}/${burst}\``,
    description: `rate limit of ${whose}: requests per second and burst`,
  })
}

/** A storage quota; `whose` names the kind of team. */
export function storageSetting(whose: string) {
  return countOrNone(Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ defaultText: '0', description: `storage quota of ${whose}, in bytes; 0: none` })
}

export const flag = z.enum(['0', '1'], '0 or 1').transform((text) => text === '1')

/** Named ranges: this machine, link-local and private addresses. */
const ranges = ['loopback', 'linklocal', 'uniquelocal']

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  if (bits === undefined || more.length > 0) return ranges.includes(text)
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}

const listOf = (text: string) => text.split(',').map((each) => each.trim())

export const proxies = z
  .string()
  .transform(listOf)
  .refine(
    (list) => list.every(isAddressOrRange),
    `a comma list of addresses, ranges such as 10.0.0.0/8, or ${ranges.join(', ')}`,
  )

export const origins = z.union(
  [z.literal('*').transform(() => ['*']), z.string().transform(listOf).pipe(z.array(baseUrl))],
  '* or a comma list of origins such as https://app.example.com',
)

export const file = z
  .string()
  .transform((path) => resolve(path))
  .optional()

export const addresses = z
  .string()
  .transform(listOf)
  .refine((list) => list.every((each) => isIP(each) !== 0), 'a comma list of IP addresses')

const namePattern =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)+$/

/** Lower-cased, without the trailing dot. */
export const hostName = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/\.$/, ''))
  .refine((text) => namePattern.test(text), 'a host name such as edge.example.com')

export const hostNames = z.string().transform(listOf).pipe(z.array(hostName))

const registryHost = z.string().transform((text, { addIssue }) => {
  const host = parseHostPort(text)
  if (host && namePattern.test(host.name) && isIP(host.name) === 0) return host
  addIssue('a comma list of host names such as registry.npmjs.org, with a port if not 443')
  return z.NEVER
})

/** Also of one label, and an IPv4 address: private networks have both. */
const forgeHost = z.string().transform((text, { addIssue }) => {
  const host = parseHostPort(text)
  if (host && (namePattern.test(host.name) || singleLabel.test(host.name))) return host
  addIssue('a comma list of host names such as git.example.com, with a port if not 443')
  return z.NEVER
})

const singleLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const forgeHosts = z.string().transform(listOf).pipe(z.array(forgeHost))

export const issuers = z.string().transform(listOf).pipe(z.array(issuer))

export const registryHosts = z.string().transform(listOf).pipe(z.array(registryHost))

function isResolver(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  return isIP(text) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port ?? 53) <= 65_535)
}

export const resolvers = z
  .string()
  .transform(listOf)
  .refine(
    (list) => list.every(isResolver),
    'a comma list of addresses such as 1.1.1.1 or [2606:4700::1111]:53',
  )

export const privatePlaces = z.string().transform((text, { addIssue }) => {
  const places = listOf(text).map(parsePrivatePlace)
  const known = places.filter((place) => place !== undefined)
  if (known.length === places.length) return known
  addIssue('a comma list such as team_01J0=10.0.0.5:5432 or acme=db.internal:6379')
  return z.NEVER
})
