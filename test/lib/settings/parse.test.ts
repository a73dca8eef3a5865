import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { warningsOf } from '../../../src/lib/settings/checks.ts'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { parseSettings, readEnvironment, unknownSettings } from '../../../src/lib/settings/parse.ts'
import { environmentSchema } from '../../../src/lib/settings/variables.ts'

const key = Buffer.alloc(32, 1).toString('base64')

function refusal(environment: Record<string, string>): string {
  try {
    parseSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return expect.unreachable('the settings were taken')
}

const buildHosts = [
  { name: 'registry.npmjs.org', port: 443 },
  { name: 'registry.yarnpkg.com', port: 443 },
  { name: 'fonts.googleapis.com', port: 443 },
  { name: 'fonts.gstatic.com', port: 443 },
]

describe('without any variable', () => {
  it('every setting has its default', () => {
    const { SVC_DATA_DIR, ...rest } = parseSettings({})
    expect(isAbsolute(SVC_DATA_DIR)).toBe(true)
    expect(SVC_DATA_DIR).toMatch(/\.svc$/)
    expect(rest).toEqual({
      SVC_BLOBS: undefined,
      SVC_S3_ENDPOINT: undefined,
      SVC_S3_REGION: 'us-east-1',
      SVC_S3_ACCESS_KEY_ID: undefined,
      SVC_S3_SECRET_ACCESS_KEY: undefined,
      SVC_S3_SESSION_TOKEN: undefined,
      SVC_S3_PATH_STYLE: undefined,
      SVC_S3_DIRECT_UPLOADS: true,
      SVC_CACHE_BYTES: 10_737_418_240,
      SVC_DISK_RESERVE: undefined,
      SVC_BACKUP_EVERY: undefined,
      SVC_BACKUP_TO: undefined,
      SVC_BACKUP_KEEP: 7,
      SVC_PORT: 3000,
      SVC_TLS_PORT: undefined,
      SVC_TLS_CERT: undefined,
      SVC_TLS_KEY: undefined,
      SVC_TLS_SELF_SIGNED: false,
      SVC_EDGE_PORT: 8080,
      SVC_EDGE_TLS_PORT: undefined,
      SVC_EDGE_TLS_CERT: undefined,
      SVC_EDGE_TLS_KEY: undefined,
      SVC_EDGE_HTTPS_REDIRECT: true,
      SVC_ACME: false,
      SVC_ACME_DIRECTORY: 'https://acme-v02.api.letsencrypt.org/directory',
      SVC_ACME_EMAIL: undefined,
      SVC_ACME_CA: undefined,
      SVC_ACME_EAB_KID: undefined,
      SVC_ACME_EAB_HMAC: undefined,
      SVC_INTERNAL_PORT: 9000,
      SVC_INTERNAL_HOST: '127.0.0.1',
      SVC_DASHBOARD: 'on',
      SVC_HOST: '127.0.0.1',
      SVC_URL: undefined,
      SVC_EDGE_URL: undefined,
      SVC_EDGE_ADDRESSES: undefined,
      SVC_EDGE_CNAME: undefined,
      SVC_RESOLVERS: undefined,
      SVC_RESOLVE_PRIVATE: false,
      SVC_DNS_PORT: undefined,
      SVC_NAMESERVERS: [],
      SVC_DATABASE_CONNECTIONS: 10,
      SVC_DNS_RATE: 50,
      SVC_ROLES: ['api', 'edge', 'worker', 'dns'],
      SVC_PROCESSES: 1,
      DATABASE_URL: undefined,
      REDIS_URL: undefined,
      UPSTASH_REDIS_REST_URL: undefined,
      UPSTASH_REDIS_REST_TOKEN: undefined,
      SVC_RATE_FREE: { perSecond: 20, burst: 100 },
      SVC_RATE_PRO: { perSecond: 50, burst: 500 },
      SVC_RATE_ENTERPRISE: { perSecond: 200, burst: 2_000 },
      SVC_RATE_SESSION: { perSecond: 20, burst: 200 },
      SVC_RATE_STREAMS: { perSecond: 10, burst: 10 },
      SVC_RATE_ANONYMOUS: { perSecond: 5, burst: 50 },
      SVC_RATE_EDGE: { perSecond: 20, burst: 200 },
      SVC_EDGE_CONNECTIONS: 256,
      SVC_ENCRYPTION_KEY: undefined,
      SVC_JWT_SECRET: undefined,
      SVC_JWT_SECRET_PREVIOUS: undefined,
      SVC_OIDC_ISSUER: undefined,
      SVC_OIDC_CLIENT_ID: undefined,
      SVC_OIDC_CLIENT_SECRET: undefined,
      SVC_OIDC_NAME: 'Single sign-on',
      SVC_OIDC_TRUST: [],
      SVC_GIT_HOSTS: [],
      SVC_GIT_PROCESSES: 8,
      SVC_GIT_CA: undefined,
      SVC_SMTP_URL: undefined,
      SVC_SMTP_FROM: undefined,
      SVC_OPERATOR_NOTICE: undefined,
      SVC_OPERATOR_NOTICE_SECRET: undefined,
      SVC_MAX_JSON_BYTES: 10 * 1024 * 1024,
      SVC_BODY_BYTES: 64 * 1024 * 1024,
      SVC_MAX_FILES: 20_000,
      SVC_MAX_FILE_BYTES: 100 * 1024 * 1024,
      SVC_MAX_DEPLOYMENT_BYTES: 1024 * 1024 * 1024,
      SVC_WEBHOOKS_ALLOW_PRIVATE: false,
      SVC_FORWARD_PRIVATE: false,
      SVC_NODE: process.execPath,
      SVC_BUILD_SANDBOX: 'bubblewrap',
      SVC_BUILD_NETWORK: undefined,
      SVC_BUILD_HOSTS: buildHosts,
      SVC_BUILD_CONCURRENCY: 1,
      SVC_BUILD_QUEUE: 100,
      SVC_BUILD_TIMEOUT_S: 600,
      SVC_QUEUE_TIMEOUT_S: 3_600,
      SVC_BUILD_MEMORY_BYTES: 2 * 1024 * 1024 * 1024,
      SVC_BUILD_DISK_BYTES: 4 * 1024 * 1024 * 1024,
      SVC_BUILD_CACHE_BYTES: 2 * 1024 * 1024 * 1024,
      SVC_RUNTIME_MAX: 20,
      SVC_RUNTIME_PRIVATE: [],
      SVC_RUNTIME_BYTES: undefined,
      SVC_RUNTIME_DISK_BYTES: 10 * 1024 * 1024 * 1024,
      SVC_STALE_S: 86_400,
      SVC_TRUSTED_PROXIES: [],
      SVC_PROXY_PROTOCOL: false,
      SVC_CORS_ORIGINS: [],
      SVC_LOG_DAYS: 30,
      SVC_REQUEST_LOG_DAYS: 3,
      SVC_RUNTIME_LOG_DAYS: 3,
      SVC_METRICS_DAYS: 400,
      SVC_STORAGE_FREE: 0,
      SVC_STORAGE_PRO: 0,
      SVC_STORAGE_ENTERPRISE: 0,
      SVC_TRASH_DAYS: 7,
      SVC_TRASH_BYTES: 10 * 1024 * 1024 * 1024,
      SVC_CLOCK_JUMP_DAYS: 30,
      SVC_STOP_MS: 10_000,
    })
  })

  it('an empty one counts as unset', () => {
    const empty = Object.fromEntries(Object.keys(environmentSchema.shape).map((name) => [name, '']))
    expect(parseSettings(empty)).toEqual(parseSettings({}))
  })

  it('variables of other programs are ignored', () => {
    expect(parseSettings({ PATH: '/bin', PORT: 'x' })).toEqual(parseSettings({}))
  })
})

describe('an invalid value is refused by name', () => {
  it.each([
    ['SVC_PORT', 'http'],
    ['SVC_PORT', '65536'],
    ['SVC_PORT', '-1'],
    ['SVC_PORT', '80.5'],
    ['SVC_EDGE_PORT', '123456'],
    ['SVC_ACME_DIRECTORY', 'http://authority.example/directory'],
    ['SVC_ACME_EMAIL', 'nobody'],
    ['SVC_ACME_EAB_HMAC', 'short'],
    ['SVC_URL', 'svc.example.com'],
    ['SVC_URL', 'ftp://svc.example.com'],
    ['SVC_URL', 'https://svc.example.com/api'],
    ['SVC_URL', 'https://svc.example.com/?a=b'],
    ['SVC_URL', 'https://user@svc.example.com'],
    ['SVC_EDGE_URL', 'not an address'],
    ['SVC_ROLES', 'api,dsn'],
    ['SVC_ROLES', ','],
    ['DATABASE_URL', 'mysql://localhost/svc'],
    ['SVC_ENCRYPTION_KEY', 'short'],
    ['SVC_ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
    ['SVC_ENCRYPTION_KEY', Buffer.alloc(33).toString('base64')],
    ['SVC_ENCRYPTION_KEY', Buffer.alloc(32).toString('hex')],
    ['SVC_JWT_SECRET', 'x'.repeat(31)],
    ['SVC_JWT_SECRET', 'ü'.repeat(15)],
    ['SVC_JWT_SECRET_PREVIOUS', 'short'],
    ['SVC_GIT_HOSTS', 'https://git.example.com'],
    ['SVC_GIT_HOSTS', 'git.example.com:0'],
    ['SVC_GIT_HOSTS', '*.example.com'],
    ['SVC_MAX_FILES', '0'],
    ['SVC_MAX_FILES', '1000001'],
    ['SVC_MAX_JSON_BYTES', '10MB'],
    ['SVC_MAX_FILE_BYTES', '1e6'],
    ['SVC_MAX_DEPLOYMENT_BYTES', '-5'],
    ['SVC_BUILD_SANDBOX', 'docker'],
    ['SVC_BUILD_NETWORK', 'all'],
    ['SVC_BUILD_TIMEOUT_S', '0'],
    ['SVC_BUILD_CACHE_BYTES', '-1'],
    ['SVC_TLS_PORT', 'https'],
    ['SVC_TLS_SELF_SIGNED', 'yes'],
    ['SVC_TRUSTED_PROXIES', 'proxy.example'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/'],
    ['SVC_TRUSTED_PROXIES', '127.0.0.1,'],
    ['SVC_CORS_ORIGINS', 'app.example.com'],
    ['SVC_CORS_ORIGINS', 'https://app.example.com/path'],
    ['SVC_CORS_ORIGINS', 'https://app.example.com,*'],
    ['SVC_CORS_ORIGINS', 'null'],
    ['SVC_STOP_MS', 'soon'],
    ['SVC_RATE_FREE', '20'],
    ['SVC_RATE_FREE', '0/100'],
    ['SVC_RATE_PRO', '50/49'],
    ['SVC_RATE_ENTERPRISE', '0.5/10'],
    ['SVC_RATE_ANONYMOUS', '5/1e3'],
    ['REDIS_URL', 'localhost:6379'],
    ['UPSTASH_REDIS_REST_URL', 'redis://localhost'],
    ['SVC_BLOBS', 'bucket'],
    ['SVC_BLOBS', 's3://'],
    ['SVC_BLOBS', 's3://Bucket'],
    ['SVC_BLOBS', 's3://bucket/a/../b'],
    ['SVC_BLOBS', 's3://bucket/a b'],
    ['SVC_S3_ENDPOINT', 'minio:9000'],
    ['SVC_S3_REGION', 'eu central'],
    ['SVC_CACHE_BYTES', '10G'],
  ])('%s=%s', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name} should be .+\\.$`))
  })

  it('each on a line of its own when there are several', () => {
    const lines = refusal({ SVC_PORT: 'x', SVC_ROLES: 'y', SVC_MAX_FILES: 'z' }).split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['SVC_PORT', 'SVC_ROLES', 'SVC_MAX_FILES'])
  })

  it('without its value if that is secret', () => {
    expect(refusal({ SVC_ENCRYPTION_KEY: 'my-secret-key' })).not.toContain('my-secret-key')
    expect(refusal({ SVC_JWT_SECRET: 'my-secret' })).not.toContain('my-secret')
    expect(refusal({ DATABASE_URL: 'mysql://user:my-password@host/db' })).not.toContain('my-password')
    expect(refusal({ REDIS_URL: 'http://user:my-password@host' })).not.toContain('my-password')
    expect(refusal({ UPSTASH_REDIS_REST_TOKEN: 'my-token' })).not.toContain('my-token')
    expect(refusal({ SVC_SMTP_URL: 'http://svc:my-password@mail.test' })).not.toContain('my-password')
  })
})

describe('a valid value', () => {
  it.each([
    ['SVC_PORT', '0', 0],
    ['SVC_PORT', '65535', 65_535],
    ['SVC_URL', 'https://svc.example.com/', 'https://svc.example.com'],
    ['SVC_URL', 'HTTPS://SVC.Example.com:443', 'https://svc.example.com'],
    ['SVC_EDGE_URL', 'https://svc.site:8443', 'https://svc.site:8443'],
    ['SVC_ROLES', 'api', ['api']],
    ['SVC_ROLES', 'edge, worker', ['edge', 'worker']],
    ['SVC_ENCRYPTION_KEY', key, key],
    ['SVC_JWT_SECRET', 'x'.repeat(32), 'x'.repeat(32)],
    ['SVC_JWT_SECRET', 'ü'.repeat(16), 'ü'.repeat(16)],
    [
      'SVC_TRUSTED_PROXIES',
      'loopback, 10.0.0.0/8,2001:db8::/32',
      ['loopback', '10.0.0.0/8', '2001:db8::/32'],
    ],
    ['SVC_CORS_ORIGINS', '*', ['*']],
    [
      'SVC_CORS_ORIGINS',
      'https://a.example/, http://B.example:80',
      ['https://a.example', 'http://b.example'],
    ],
    [
      'SVC_GIT_HOSTS',
      'Git.example.com, gitea:3000,10.0.0.5:8443',
      [
        { name: 'git.example.com', port: 443 },
        { name: 'gitea', port: 3000 },
        { name: '10.0.0.5', port: 8443 },
      ],
    ],
    ['SVC_MAX_FILES', '5', 5],
    ['SVC_RATE_FREE', '1/1', { perSecond: 1, burst: 1 }],
    ['SVC_RATE_ENTERPRISE', '2000/100000', { perSecond: 2_000, burst: 100_000 }],
    ['REDIS_URL', 'rediss://:password@redis:6380/1', 'rediss://:password@redis:6380/1'],
  ])('%s=%s is accepted', (name, value, taken) => {
    expect(parseSettings({ [name]: value })).toMatchObject({ [name]: taken })
  })
})

describe('an incomplete setting of HTTPS is refused', () => {
  it.each<[string, Record<string, string>]>([
    ['SVC_TLS_PORT needs a certificate', { SVC_TLS_PORT: '443' }],
    ['SVC_TLS_KEY is required', { SVC_TLS_PORT: '443', SVC_TLS_CERT: 'a' }],
    ['SVC_TLS_CERT is required', { SVC_TLS_PORT: '443', SVC_TLS_KEY: 'a' }],
    ['SVC_TLS_PORT is required with SVC_TLS_CERT', { SVC_TLS_CERT: 'a', SVC_TLS_KEY: 'b' }],
    ['SVC_TLS_PORT is required with SVC_TLS_SELF_SIGNED', { SVC_TLS_SELF_SIGNED: '1' }],
    ['SVC_ACME needs SVC_URL', { SVC_TLS_PORT: '443', SVC_ACME: '1' }],
    ['SVC_EDGE_TLS_PORT needs certificates', { SVC_EDGE_TLS_PORT: '443' }],
    ['SVC_EDGE_TLS_KEY is required', { SVC_EDGE_TLS_PORT: '443', SVC_EDGE_TLS_CERT: 'a' }],
    ['SVC_EDGE_TLS_CERT is required', { SVC_EDGE_TLS_PORT: '443', SVC_EDGE_TLS_KEY: 'a' }],
    ['SVC_EDGE_TLS_PORT is required', { SVC_EDGE_TLS_CERT: 'a', SVC_EDGE_TLS_KEY: 'b' }],
    ['set both or none', { SVC_ACME_EAB_KID: 'kid' }],
    ['SVC_PROXY_PROTOCOL needs SVC_TRUSTED_PROXIES', { SVC_PROXY_PROTOCOL: '1' }],
    [
      'set only one of them',
      { SVC_TLS_PORT: '443', SVC_TLS_CERT: 'a', SVC_TLS_KEY: 'b', SVC_TLS_SELF_SIGNED: '1' },
    ],
  ])('%s', (expectedError, environment) => {
    expect(refusal(environment)).toContain(expectedError)
  })

  it('a complete one is accepted', () => {
    const files = { SVC_TLS_PORT: '443', SVC_TLS_CERT: 'a', SVC_TLS_KEY: 'b' }
    expect(parseSettings(files).SVC_TLS_CERT).toMatch(/^\/.*\/a$/)
    expect(parseSettings({ SVC_TLS_PORT: '443', SVC_TLS_SELF_SIGNED: '1' }).SVC_TLS_SELF_SIGNED).toBe(true)
  })
})

describe('a node of some roles', () => {
  const stores = { DATABASE_URL: 'postgres://localhost/svc', SVC_ENCRYPTION_KEY: key }

  it('that is only a name server requires a port for it', () => {
    expect(refusal({ SVC_ROLES: 'dns' })).toContain('SVC_DNS_PORT is required with SVC_ROLES=dns')
  })

  it.each([
    [{}, []],
    [{ SVC_ROLES: 'api' }, []],
    [{ SVC_ROLES: 'edge' }, ['DATABASE_URL is not set', 'SVC_URL is not set']],
    [{ SVC_ROLES: 'api,dns' }, ['SVC_DNS_PORT is not set']],
    [{ SVC_ROLES: 'worker,dns' }, ['SVC_DNS_PORT is not set', 'DATABASE_URL is not set']],
    [{ SVC_ROLES: 'edge', SVC_URL: 'https://api.example.com', ...stores }, []],
    [{ SVC_ROLES: 'edge', ...stores }, ['SVC_URL is not set']],
  ])('%o has a warning for each setting that is probably missing', (environment, missing) => {
    expect(warningsOf(parseSettings(environment))).toEqual(
      missing.map((text) => expect.stringContaining(text)),
    )
  })
})

describe('DATABASE_URL', () => {
  it('requires SVC_ENCRYPTION_KEY, since every node needs the same', () => {
    const withoutKey = refusal({ DATABASE_URL: 'postgres://localhost/svc' })
    expect(withoutKey).toContain('SVC_ENCRYPTION_KEY is required')
    expect(withoutKey).toMatch(/makes one for a new installation.*to a backup belongs/)
  })

  it.each(['postgres://localhost/svc', 'postgresql://user:password@db:5433/svc'])(
    '%s is accepted with it',
    (url) => {
      expect(parseSettings({ DATABASE_URL: url, SVC_ENCRYPTION_KEY: key }).DATABASE_URL).toBe(url)
    },
  )
})

describe('SVC_PROCESSES', () => {
  const onPostgres = { DATABASE_URL: 'postgres://svc@db/svc', SVC_ENCRYPTION_KEY: key }

  it.each([
    ['4', 4],
    ['auto', 'auto'],
  ])('may be %s on PostgreSQL', (text, value) => {
    expect(parseSettings({ ...onPostgres, SVC_PROCESSES: text }).SVC_PROCESSES).toBe(value)
  })

  it.each(['0', '65', '1.5', 'all'])('is refused if it is %s', (text) => {
    expect(refusal({ ...onPostgres, SVC_PROCESSES: text })).toBe(
      'SVC_PROCESSES should be auto or a whole number from 1 to 64.',
    )
  })

  it('above 1 needs DATABASE_URL, and auto does not', () => {
    expect(refusal({ SVC_PROCESSES: '2' })).toMatch(
      /^SVC_PROCESSES=2 needs DATABASE_URL: .*SVC_PROCESSES=1\.$/,
    )
    expect(parseSettings({ SVC_PROCESSES: 'auto' }).SVC_PROCESSES).toBe('auto')
    expect(parseSettings({ SVC_PROCESSES: '1' }).SVC_PROCESSES).toBe(1)
  })
})

describe('SVC_JWT_SECRET_PREVIOUS', () => {
  const secret = 'x'.repeat(32)

  it('is refused without SVC_JWT_SECRET: it would seem to enforce JWTs, but not do so', () => {
    expect(refusal({ SVC_JWT_SECRET_PREVIOUS: secret })).toContain('without SVC_JWT_SECRET')
  })

  it('is accepted with it', () => {
    const both = { SVC_JWT_SECRET: 'y'.repeat(32), SVC_JWT_SECRET_PREVIOUS: secret }
    expect(parseSettings(both)).toMatchObject(both)
  })
})

describe('the Redis for limits', () => {
  const upstash = {
    UPSTASH_REDIS_REST_URL: 'https://eu1-some.upstash.io',
    UPSTASH_REDIS_REST_TOKEN: 'token',
  }

  it('at Upstash has a URL and a token', () => {
    expect(parseSettings(upstash)).toMatchObject(upstash)
    for (const name of Object.keys(upstash)) {
      expect(refusal({ ...upstash, [name]: '' })).toContain('set both or none')
    }
  })

  it('is either Redis or Upstash, not both', () => {
    expect(refusal({ ...upstash, REDIS_URL: 'redis://localhost' })).toContain('not both')
  })
})

describe('a bucket', () => {
  const own = { SVC_S3_ACCESS_KEY_ID: 'own', SVC_S3_SECRET_ACCESS_KEY: 'secret' }
  const aws = {
    AWS_ACCESS_KEY_ID: 'aws',
    AWS_SECRET_ACCESS_KEY: 'aws secret',
    AWS_SESSION_TOKEN: 'token',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: 'https://s3.example.com',
  }

  it.each([
    ['s3://my-bucket', { name: 'my-bucket', prefix: '' }],
    ['s3://my.bucket/', { name: 'my.bucket', prefix: '' }],
    ['s3://my-bucket/sites', { name: 'my-bucket', prefix: 'sites/' }],
    ['s3://my-bucket//a/b_c.d//', { name: 'my-bucket', prefix: 'a/b_c.d/' }],
  ])('%s is accepted', (text, bucket) => {
    expect(parseSettings({ SVC_BLOBS: text, ...own }).SVC_BLOBS).toEqual(bucket)
  })

  it('requires a key and its secret', () => {
    for (const name of Object.keys(own))
      expect(refusal({ SVC_BLOBS: 's3://bucket', ...own, [name]: '' })).toContain(
        'are required with SVC_BLOBS',
      )
  })

  it('bounds the size of a file', () => {
    const tooLarge = { SVC_BLOBS: 's3://bucket', ...own, SVC_MAX_FILE_BYTES: '5368709121' }
    expect(refusal(tooLarge)).toContain('at most 5368709120 (5 GiB)')
  })

  it('takes what is missing from the variables of AWS, but no part of a key', () => {
    expect(parseSettings({ SVC_BLOBS: 's3://bucket', ...aws })).toMatchObject({
      SVC_S3_ACCESS_KEY_ID: 'aws',
      SVC_S3_SECRET_ACCESS_KEY: 'aws secret',
      SVC_S3_SESSION_TOKEN: 'token',
      SVC_S3_REGION: 'eu-central-1',
      SVC_S3_ENDPOINT: 'https://s3.example.com',
    })
    expect(parseSettings({ SVC_BLOBS: 's3://bucket', ...aws, ...own, SVC_S3_REGION: 'here' })).toMatchObject({
      ...own,
      SVC_S3_SESSION_TOKEN: undefined,
      SVC_S3_REGION: 'here',
    })
    expect(refusal({ SVC_BLOBS: 's3://bucket', ...aws, SVC_S3_ACCESS_KEY_ID: 'own' })).toContain(
      'are required',
    )
  })

  it('is needed for the variables of AWS to count', () => {
    expect(parseSettings(aws)).toEqual(parseSettings({}))
  })
})

describe('an unknown SVC_ variable', () => {
  it.each([
    ['SVC_PROT', 'SVC_PORT'],
    ['SVC_DATADIR', 'SVC_DATA_DIR'],
    ['SVC_MAX_FILE', 'SVC_MAX_FILES'],
    ['SVC_ENCRYPTIONKEY', 'SVC_ENCRYPTION_KEY'],
    ['SVC_port', 'SVC_PORT'],
  ])('%s is reported with the nearest name %s', (name, nearest) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting and is ignored. Did you mean ${nearest}?`,
    ])
  })

  it('does not include known ones, nor those of clients and other programs', () => {
    const known = Object.fromEntries(Object.keys(environmentSchema.shape).map((name) => [name, '1']))
    expect(unknownSettings({ ...known, SVC_TOKEN: 'svc_x', PATH: '/bin', MY_SVC_PORT: '1' })).toEqual([])
  })
})

describe('the text of .env', () => {
  it('is read, and the process’s environment takes precedence', () => {
    const text = '# a comment\nSVC_PORT=4000\nSVC_HOST="0.0.0.0"\nexport SVC_STOP_MS=5\n'
    const environment = readEnvironment(text, { SVC_PORT: '5000' })
    expect(parseSettings(environment)).toMatchObject({ SVC_PORT: 5_000, SVC_HOST: '0.0.0.0', SVC_STOP_MS: 5 })
  })

  it('may be missing', () => {
    expect(readEnvironment(undefined, { SVC_PORT: '5000' })).toEqual({ SVC_PORT: '5000' })
  })

  it('is refused with the line that can’t be meant, and without its value', () => {
    const text = 'SVC_PORT=4000\nSVC_SECRET="hidden\nSVC_HOST=::1\n'
    expect(() => readEnvironment(text, {})).toThrow(
      new SettingsError('.env, line 2: the value begins with ", and does not end with it.'),
    )
  })
})

describe('an OpenID provider', () => {
  const provider = {
    SVC_OIDC_ISSUER: 'https://id.example.com/realms/a',
    SVC_OIDC_CLIENT_ID: 'svc',
    SVC_OIDC_CLIENT_SECRET: 'secret',
  }

  it.each(Object.keys(provider))('needs all its settings: %s', (name) => {
    expect(refusal({ ...provider, [name]: '' })).toBe(
      `SVC_OIDC_ISSUER, SVC_OIDC_CLIENT_ID, SVC_OIDC_CLIENT_SECRET belong together: ${name} is not set.`,
    )
  })

  it.each(['id.example.com', 'http://id.example.com', 'ftp://id.example.com', 'https://id.example.com/?a=b'])(
    'has an https URL: %s',
    (issuer) => {
      expect(refusal({ ...provider, SVC_OIDC_ISSUER: issuer })).toContain(
        'SVC_OIDC_ISSUER should be the https',
      )
    },
  )

  it('may be on this machine, without TLS', () => {
    const SVC_OIDC_ISSUER = 'http://localhost:8180/realms/a'
    expect(parseSettings({ ...provider, SVC_OIDC_ISSUER })).toMatchObject({ SVC_OIDC_ISSUER })
  })
})

describe('SVC_URL', () => {
  it.each([
    ['https://svc.site', 'https://svc.site'],
    ['https://api.svc.site', 'https://svc.site'],
    ['https://a.b.svc.site:8443', 'https://svc.site'],
    ['https://API.SVC.site', 'https://svc.Site'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:8080'],
  ])('%s is refused with sites below %s, where they would share cookies', (api, sites) => {
    const expectedError = refusal({ SVC_URL: api, SVC_EDGE_URL: sites })
    expect(expectedError).toContain(`SVC_URL (${new URL(api).hostname})`)
    expect(expectedError).toContain(`SVC_EDGE_URL, ${new URL(sites).hostname}`)
  })

  it.each([
    ['https://svc.example.com', 'https://svc.site'],
    ['https://notsvc.site', 'https://svc.site'],
    ['https://site', 'https://svc.site'],
    ['http://localhost:3000', 'http://localhost:8080'],
    ['http://api.localhost:3000', 'http://localhost:8080'],
  ])('%s is accepted with sites below %s', (api, sites) => {
    expect(parseSettings({ SVC_URL: api, SVC_EDGE_URL: sites })).toMatchObject({ SVC_URL: api })
  })
})

describe('the network of builds', () => {
  it('has the registries of npm and Yarn by default, or others with their ports', () => {
    expect(parseSettings({}).SVC_BUILD_HOSTS).toEqual(buildHosts)
    expect(parseSettings({ SVC_BUILD_HOSTS: 'NPM.example.com., pypi.org:8443' }).SVC_BUILD_HOSTS).toEqual([
      { name: 'npm.example.com', port: 443 },
      { name: 'pypi.org', port: 8_443 },
    ])
  })

  it.each(['https://npm.example.com', '10.0.0.1', '*.example.com', 'a.example.com:0', 'a.example.com,'])(
    'cannot have the registry %j',
    (hosts) => {
      expect(refusal({ SVC_BUILD_HOSTS: hosts })).toContain(
        'SVC_BUILD_HOSTS should be a comma list of host names',
      )
    },
  )

  it('is not limited to registries without a sandbox', () => {
    const environment = { SVC_BUILD_NETWORK: 'registries', SVC_BUILD_SANDBOX: 'none' }
    expect(refusal(environment)).toContain('needs the sandbox')
  })
})
