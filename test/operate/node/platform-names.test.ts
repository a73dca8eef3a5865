/** The platform's own names that have no certificate. */
import { expect, it } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { uncoveredNames } from '../../../src/operate/node/platform-names.ts'

const sites = { SVC_EDGE_URL: 'https://apps.test', SVC_EDGE_TLS_PORT: '443' }
const own = { SVC_EDGE_TLS_CERT: '/cert.pem', SVC_EDGE_TLS_KEY: '/key.pem' }
const acme = { SVC_ACME: '1' }
const named = { SVC_NAMESERVERS: 'ns1.apps.test' }

const none = { covers: () => false }
const all = { covers: () => true }

it.each<[string, Record<string, string>, { covers(): boolean }, string[]]>([
  ['SVC_ACME without a name server', { ...sites, ...acme }, none, ['*.apps.test']],
  ['SVC_ACME with one', { ...sites, ...acme, ...named }, none, ['*.apps.test ordered']],
  ['a certificate that is for it', { ...sites, ...own }, all, []],
  ['a certificate for another name', { ...sites, ...own }, none, ['*.apps.test']],
  ['http', { ...sites, ...acme, SVC_EDGE_URL: 'http://apps.test' }, none, []],
  ['a proxy in front', { SVC_EDGE_URL: 'https://apps.test' }, none, []],
  ['no edge', { ...sites, ...acme, SVC_ROLES: 'api,worker' }, none, []],
  [
    'the API at a name that no authority gives one for',
    { ...acme, SVC_URL: 'https://svc.internal', SVC_TLS_PORT: '443' },
    none,
    ['svc.internal'],
  ],
  [
    'the API at one that it does',
    { ...acme, SVC_URL: 'https://svc.test', SVC_TLS_PORT: '443' },
    none,
    ['svc.test ordered'],
  ],
  ['the API with a certificate for development', { SVC_TLS_SELF_SIGNED: '1', SVC_TLS_PORT: '443' }, none, []],
])('%s', (_, environment, files, expected) => {
  const found = uncoveredNames(parseSettings(environment), files)
  expect(found.map(({ name, isOrdered }) => (isOrdered ? `${name} ordered` : name))).toEqual(expected)
})

it('says what to do', () => {
  const remedyOf = (environment: Record<string, string>) =>
    uncoveredNames(parseSettings(environment), none)[0]?.remedy
  expect(remedyOf({ ...sites, ...acme })).toMatch(/^Set SVC_NAMESERVERS .* Or set SVC_EDGE_TLS_CERT /)
  expect(remedyOf({ ...sites, ...acme, SVC_EDGE_URL: 'https://apps.internal' })).toMatch(
    /^Set SVC_EDGE_TLS_CERT /,
  )
  expect(remedyOf({ ...sites, ...own })).toContain('/cert.pem (SVC_EDGE_TLS_CERT) is not for it')
})
