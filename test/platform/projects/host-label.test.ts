import { expect, it } from 'vitest'
import { domainUrl, siteUrl } from '../../../src/platform/projects/host-label.ts'

it.each([
  ['http://localhost:8080', 'blog', 'http://blog.localhost:8080'],
  ['https://svc.site', 'blog', 'https://blog.svc.site'],
  ['https://svc.site:8443', 'blog-0a1b2c', 'https://blog-0a1b2c.svc.site:8443'],
])('a site below %s with the label %s is at %s', (sitesUrl, label, url) => {
  expect(siteUrl(sitesUrl, label)).toBe(url)
})

it.each([
  ['http://localhost:8080', 'http://www.example.com:8080'],
  ['https://svc.site', 'https://www.example.com'],
  ['https://svc.site:8443', 'https://www.example.com:8443'],
])('beside sites below %s a domain is at %s', (sitesUrl, url) => {
  expect(domainUrl(sitesUrl, 'www.example.com')).toBe(url)
})
