import { expect, it } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { certifiedUrlOf, knownApiUrl } from '../../../src/operate/node/public-url.ts'

it.each([
  ['http://localhost:8080', 8443, 'https://localhost:8443'],
  ['http://svc.site', 443, 'https://svc.site'],
  // A proxy in front of it has another port.
  ['https://svc.site', 8443, 'https://svc.site'],
  // A proxy may add HTTPS; nothing is known of that.
  ['http://svc.site', undefined, 'http://svc.site'],
])('beside sites at %s, with the port %s for HTTPS, certificates are used at %s', (sites, port, url) => {
  expect(certifiedUrlOf(sites, port)).toBe(url)
})

it.each<[Record<string, string>, string | undefined]>([
  [{ SVC_ROLES: 'api,edge' }, 'http://localhost:3000'],
  [{ SVC_ROLES: 'edge' }, undefined],
  [{ SVC_ROLES: 'edge', SVC_URL: 'https://api.example.com' }, 'https://api.example.com'],
])('with %j the address of the API is %s', (environment, url) => {
  expect(knownApiUrl(parseSettings(environment))).toBe(url)
})
