import { describe, expect, it } from 'vitest'
import { createNetworkHint } from '../../../src/platform/builds/network-hint.ts'
import type { BuildNetwork } from '../../../src/platform/sandbox/registries/network.ts'
import { refused, unreachable } from '../../../src/platform/sandbox/registries/reports.ts'

const host = { name: 'example.com', port: 443 }
const registries: BuildNetwork = { hosts: [], resolve: async () => [], allowPrivate: false }

function hintFor(
  network: BuildNetwork,
  line: string,
  step: 'install' | 'build' = 'build',
): string | undefined {
  const hint = createNetworkHint(network, step)
  hint.look('before')
  hint.look(line)
  hint.look('after')
  return hint.sentence()
}

describe('without a network', () => {
  it.each([
    'npm error code EAI_AGAIN',
    'Error: getaddrinfo ENOTFOUND registry.npmjs.org',
    "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
    'Temporary failure in name resolution',
    'curl: (7) Network is unreachable',
  ])('%j is explained', (line) => {
    expect(hintFor('none', line)).toMatch(/SVC_BUILD_NETWORK=none.*SVC_BUILD_NETWORK=registries/)
  })

  it.each(['error TS2304: Cannot find name', 'ENOTFOUNDED', refused(host)])('%j has no hint', (line) => {
    expect(hintFor('none', line)).toBeUndefined()
  })

  it('a command that installs packages is explained, whatever it printed', () => {
    expect(hintFor('none', 'npm error code EUSAGE', 'install')).toMatch(/SVC_BUILD_NETWORK=none/)
    expect(hintFor(registries, 'npm error code EUSAGE', 'install')).toBeUndefined()
    expect(hintFor('host', 'npm error code EUSAGE', 'install')).toBeUndefined()
  })
})

it.each([refused(host), unreachable(host, new Error('ECONNREFUSED 10.0.0.1'))])(
  'with registries it is what the proxy reports: %s',
  (line) => {
    expect(hintFor(registries, line)).toBe(line)
    expect(line).not.toContain('10.0.0.1')
  },
)

describe('fonts of Google', () => {
  const google = { name: 'fonts.googleapis.com', port: 443 }
  const line = 'Failed to fetch `Geist` from Google Fonts.'

  it.each<[BuildNetwork, string]>([
    ['none', line],
    ['none', 'request to https://fonts.gstatic.com/s/inter failed, reason: getaddrinfo EAI_AGAIN'],
    [registries, line],
    [registries, refused(google)],
  ])('are explained where a build does not reach them', (network, said) => {
    expect(hintFor(network, said)).toMatch(/next\/font\/local.*fonts\.googleapis\.com.*SVC_BUILD_HOSTS/)
  })

  it('are as other hosts where it does', () => {
    expect(hintFor('host', line)).toBeUndefined()
    const allowed = { ...registries, hosts: [google] }
    expect(hintFor(allowed, line)).toBeUndefined()
    const away = unreachable(google, new Error('ECONNREFUSED'))
    expect(hintFor(allowed, away)).toBe(away)
  })
})

it("has no hint when builds use the host's network", () => {
  expect(hintFor('host', 'npm error code EAI_AGAIN')).toBeUndefined()
})

describe('with registries or the host’s network', () => {
  it.each([
    'npm error code SELF_SIGNED_CERT_IN_CHAIN',
    'Error: unable to get local issuer certificate',
    'SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in chain',
    'x509: certificate signed by unknown authority',
  ])('a certificate that is not trusted is explained: %s', (line) => {
    for (const network of [registries, 'host'] as const)
      expect(hintFor(network, line)).toMatch(/NODE_EXTRA_CA_CERTS=\/etc\/ssl/)
  })

  it.each(['npm warn deprecated self-signed@1.0.0', 'Checking certificates'])('%j has no hint', (line) => {
    expect(hintFor('host', line)).toBeUndefined()
  })
})
