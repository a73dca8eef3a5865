import { expect, it } from 'vitest'
import { certifiedUrlOf } from '../../../src/operate/node/public-url.ts'

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
