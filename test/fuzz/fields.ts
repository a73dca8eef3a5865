/** What a field's schema lacks: meaningful values of its kind, valid ones and similar invalid ones. */
import fc from 'fast-check'
import { type RecordType, recordTypes } from '../../src/lib/names/record-types.ts'
import { reference, zoneOfRecord } from './references.ts'

/** Names that a run claims and puts repeatedly, so that the number of resources stays bounded. */
const projectNames = Array.from({ length: 12 }, (_, index) => `fuzzed-${index}`)
const domainNames = [
  'fuzzed-a.com',
  'fuzzed-b.co.uk',
  'fuzzed-c.org',
  'www.fuzzed-a.com',
  'x.y.fuzzed-a.com',
  'fuzzed-\u00fc.de',
]
const teamSlugs = Array.from({ length: 12 }, (_, index) => `fuzzed-team-${index}`)

const project = fc.oneof(
  { weight: 3, arbitrary: reference('project') },
  { weight: 1, arbitrary: fc.constantFrom(...projectNames) },
)

const domain = fc.oneof(
  { weight: 3, arbitrary: reference('domain') },
  { weight: 1, arbitrary: fc.constantFrom(...domainNames, 'FUZZED-A.com.', 'fuzzed-a\u3002com') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'com',
      'co.uk',
      'fuzzed.invalid',
      '*.fuzzed-a.com',
      'localhost',
      '127.1',
      'a_b.com',
      '\u0430pple.com',
    ),
  },
)

const paths = [
  'index.html',
  'a/b/c.css',
  '404.html',
  'a.js',
  'a/index.html',
  'caf\u00e9.html',
  '_headers',
  '_redirects',
  'x'.repeat(255),
]
const badPaths = ['../a', '/a', 'a//b', './a', 'a\\b', 'a%2fb', 'cafe\u0301', 'y'.repeat(256), 'a', 'a/']

const contents = [
  '',
  'hello',
  '<h1>Hello</h1>',
  'caf\u00e9',
  '\u0000\u0001',
  '/old /new 301\n/* /index.html 200',
  '/*\n  X-A: b\n',
  '/a\n  X-A',
]

const sha256 = fc.constantFrom(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  'a'.repeat(64),
)

const recordName = fc.constantFrom(
  '@',
  'www',
  '*',
  '*.shop',
  '_dmarc',
  'a.b.c',
  'b\u00fccher',
  'WWW',
  'www.fuzzed-a.com.',
  'a'.repeat(63),
)
const recordValues = {
  A: ['203.0.113.7', '198.51.100.1', '127.1', '203.0.113.256', '010.1.1.1'],
  AAAA: ['2001:db8::7', '::ffff:1.2.3.4', 'fe80::1%eth0', '::', '1::2::3'],
  ALIAS: ['example.net', 'example.net.', 'b\u00fccher.example'],
  CAA: [
    '0 issue "letsencrypt.org"',
    '128 iodef "mailto:a@example.com"',
    '0 issue ";"',
    '256 issue "a"',
    '0 issue "\\""',
  ],
  CNAME: ['example.net', '_x.example.net', 'com', '.', 'a..b'],
  DS: [`60485 13 2 ${'ab'.repeat(32)}`, '1 2 9 ab', '1 13 2 ab', '65536 1 1 ab'],
  HTTPS: ['. alpn=h2,h3', 'a.example.net port=443 key667="a b"', '.', '. alpn=', '. mandatory=port', '. "'],
  LOC: ['52 22 23 N 4 53 32 E -2m', '90 S 180 W 42849672.95m 0m', '91 N 0 E 0m', 'N E', ''],
  MX: ['mail.example.net', '.', '192.0.2.1'],
  NAPTR: ['1 2 "u" "E2U+sip" "!^.*$!sip:a@b.c!" .', '1 2 S a "" a.example.net', '1 2 S a b c.d', '1 2 "\\'],
  NS: ['ns1.example.net', 'ns1'],
  PTR: ['host.example.net', '.'],
  SRV: ['sip.example.net', '.'],
  SSHFP: [`1 1 ${'ab'.repeat(20)}`, '4 2 ABCD', '256 1 ab', '1 1 abc'],
  SVCB: ['a.example.net', '. key667', '. ech=AAAB', '. key65535=x', '. no-default-alpn'],
  TLSA: ['3 1 1 0d6fce3d', '0 0 0 AB CD', '3 1 1', '3 1 300 ab'],
  TXT: ['v=spf1 -all', 'a'.repeat(600), '"quoted"', '\\', 'caf\u00e9', ' ', '\ufeff', 'b'.repeat(64_000)],
} as const satisfies Record<RecordType, readonly string[]>
const types = fc.constantFrom(...recordTypes)

const urls = [
  'https://hooks.example.com/a',
  'https://example.com:8443/',
  'https://example.com/\u00fc?a=b',
  'HTTPS://EXAMPLE.COM',
  'https://b\u00fccher.example/',
]
const badUrls = [
  'http://example.com',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://0x7f.1/',
  'https://localhost',
  'https://a@example.com/',
  'https://example.com:22/',
]
const worseUrls = [
  'https://example.com/#a',
  'ftp://example.com',
  'https://',
  'https:example.com',
  'https://metadata.internal/',
  `https://example.com/${'a'.repeat(1_900)}`,
]

const times = fc.constantFrom(
  '0',
  '1',
  '1790000000000',
  '9007199254740991',
  '8640000000000000',
  '4102444800000',
)

/** By the name of a field, for text fields, and for numbers in a query: possible text. */
export const fieldTexts: Record<string, fc.Arbitrary<string>> = {
  project,
  domain,
  deployment: reference('deployment'),
  record: reference('record'),
  webhook: reference('webhook'),
  delivery: reference('delivery'),
  key: reference('key'),
  team: fc.oneof(
    { weight: 4, arbitrary: reference('team') },
    { weight: 1, arbitrary: fc.constantFrom(...teamSlugs, 'www', 'team_1') },
  ),
  cursor: reference('cursor'),
  state: fc
    .uniqueArray(fc.constantFrom('queued', 'building', 'ready', 'error', 'canceled'), { minLength: 1 })
    .map((states) => states.join(',')),
  email: fc.constantFrom(
    'ada@example.com',
    'Grace@Example.com',
    'a+b@example.co.uk',
    'c@xn--bcher-kva.example',
  ),
  to: fc.constantFrom(
    'example.com',
    'www.example.com',
    'com',
    'fuzzed-a.com',
    'https://example.com',
    'B\u00dcCHER.example',
  ),
  url: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...urls) },
    { weight: 1, arbitrary: fc.constantFrom(...badUrls, ...worseUrls) },
  ),
  path: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.constantFrom(...badPaths) },
  ),
  content: fc.constantFrom(...contents),
  content_base64: fc.constantFrom('', 'aGVsbG8=', 'aGVsbG8', 'aGV sbG8=', '_-8='),
  sha256,
  output_directory: fc.constantFrom('dist', '.', 'a/b', '..', '/a'),
  root_directory: fc.constantFrom('.', 'web', 'a/b', './a'),
  watch: fc.constantFrom('web', 'a/b', '../a', '/a', '', 'a/*'),
  password: fc.constantFrom('p'.repeat(8), 'caf\u00e9'.repeat(3)),
  bypass_secret: fc.constantFrom('s'.repeat(32), 'caf\u00e9'.repeat(10), '\ud83d\ude00'.repeat(16)),
  zone: fc.constantFrom(
    'a TXT x',
    '$ORIGIN .\n@ A 1.2.3.4',
    '$TTL 60\nwww 60 IN A 203.0.113.7',
    '$INCLUDE /etc/passwd',
    'a (',
    '"',
    'x IN SOA a b 1 1 1 1 1',
    '; nothing',
    'a A 1.2.3.4\n'.repeat(50),
  ),
  // Few calls may wait, and none for long.
  wait_s: fc.oneof({ weight: 400, arbitrary: fc.constant('0') }, { weight: 1, arbitrary: fc.constant('1') }),
  since_ms: times,
  until_ms: times,
}

const zone = fc.oneof({ weight: 5, arbitrary: fc.constant(zoneOfRecord) }, { weight: 1, arbitrary: domain })

/** In a body `name` and `value` belong to a record, and are any text elsewhere. */
export const textsOf: Record<string, Record<string, fc.Arbitrary<string>>> = {
  'dns.list': { name: recordName },
  'dns.create': {
    name: recordName,
    value: types.chain((type) => fc.constantFrom(...recordValues[type])),
  },
  'dns.get': { domain: zone },
  'dns.delete': { domain: zone },
  'dns.put': {
    domain: zone,
    name: recordName,
    value: types.chain((type) => fc.constantFrom(...recordValues[type])),
  },
  // A PUT to a missing resource has one of the names.
  'projects.put': {
    project: fc.oneof(fc.constantFrom(...projectNames), project),
    name: fc.constantFrom(...projectNames),
  },
  'domains.put': { domain: fc.oneof(fc.constantFrom(...domainNames), domain) },
}

const record = fc
  .tuple(
    types.chain((type) => fc.tuple(fc.constant(type), fc.constantFrom(...recordValues[type]))),
    recordName,
    fc.constantFrom(undefined, null, 60, 300, 86_400),
    fc.constantFrom(undefined, null, '', 'a comment', '\u202e'),
  )
  .map(([[type, value], name, ttl, comment]) => ({
    name,
    type,
    value,
    ...(ttl !== undefined && { ttl }),
    ...(comment !== undefined && { comment }),
    ...((type === 'MX' || type === 'HTTPS' || type === 'SVCB') && { priority: 10 }),
    ...(type === 'SRV' && { priority: 0, weight: 65_535, port: 443 }),
  }))

const site = fc
  .tuple(
    project,
    fc.constantFrom('production', 'preview'),
    fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...contents.slice(0, 4)),
    fc.dictionary(
      fc.constantFrom('branch', 'commit', 'a.b', 'toString'),
      fc.constantFrom('main', '', '\u202e'),
    ),
    fc.constantFrom(undefined, undefined, undefined, 'build_command', 'start'),
  )
  .map(([name, target, sitePaths, content, meta, command]) => ({
    project: name,
    target,
    meta,
    files: sitePaths.map((path) => ({ path, content: path.startsWith('_') ? '' : content })),
    ...(command && { build: { [command]: 'true' } }),
  }))

const hook = fc
  .tuple(
    fc.constantFrom(...urls),
    fc.uniqueArray(fc.constantFrom('project.created', 'deployment.ready', 'key.created'), { minLength: 1 }),
    fc.oneof(fc.constant(null), fc.array(project, { minLength: 1, maxLength: 2 })),
  )
  .map(([url, events, projects]) => ({ url, events, projects }))

/** Whole inputs whose fields match each other, which fields generated one by one rarely do. */
export const wholeInputs: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  'dns.create': record,
  'deployments.create': site,
  'webhooks.create': hook,
}
