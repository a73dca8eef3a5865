/** How a `Host` value is interpreted. */
import { expect, it } from 'vitest'
import { createReadHost } from '../../../../src/roles/edge/wire/site-host.ts'

const readHost = createReadHost('svc.site')

it.each([
  'web.svc.site',
  'WEB.Svc.SITE',
  'web.svc.site.',
  'web.svc.site:8080',
  'web.svc.site.:8080',
  'web.svc.site:',
])('%s is the label web', (host) => expect(readHost(host)).toBe('web'))

it('takes labels of up to 63 characters', () => {
  expect(readHost(`${'a'.repeat(63)}.svc.site`)).toBe('a'.repeat(63))
  expect(readHost(`${'a'.repeat(64)}.svc.site`)).toBe(404)
})

it.each([
  'shop.example.com',
  'SHOP.Example.COM',
  'shop.example.com.',
  'shop.example.com:443',
  'Shop.Example.com.:8443',
])('%s is the domain shop.example.com', (host) => expect(readHost(host)).toBe('shop.example.com'))

it.each([
  'web.svc.site.evil.com',
  'websvc.site',
  'web.svcxsite',
  'xn--bcher-kva.example',
  'example.xn--p1ai',
  '1.2.3.4.com',
  'example.1a',
  `${'a'.repeat(63)}.example.com`,
  `${'a.'.repeat(121)}example.com`,
])('%s is a domain, too', (host) => expect(readHost(host)).toBe(host))

it('takes linear time on pathological values', () => {
  const hosts = ['a'.repeat(16_000), 'a-'.repeat(8_000), `${'a.'.repeat(8_000)}!`, `${'1.'.repeat(8_000)}1`]
  expect(hosts.map(readHost)).toEqual([404, 404, 400, 404])
})

it.each([
  'svc.site',
  'a.web.svc.site',
  'x_y.svc.site',
  'A.web.SVC.site.:8080',
  'example',
  'x_y.example.com',
  '-a.example.com',
  'a-.example.com',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(122)}example.com`,
  'example.123',
  '10.0.0.1.',
  '127.0.0.1',
  '127.0.0.1:8080',
  '[::1]:8080',
  'svc.site.',
])('404 for %s', (host) => expect(readHost(host)).toBe(404))

it.each([
  '',
  ' ',
  '.',
  'a@web.svc.site',
  'web.svc.site@evil',
  'we b.svc.site',
  'web.svc.site:80:80',
  'web.svc.site:x',
  'web.svc.site:123456',
  'web..svc.site',
  '.svc.site',
  'web.svc.site..',
  'web.svc.site/x',
  'web.svc.site, web.svc.site',
  'http://web.svc.site',
  'w%65b.svc.site',
  'wéb.svc.site',
  '[::1',
  '[x]',
  'web\u0000.svc.site',
])('400 for %j', (host) => expect(readHost(host)).toBe(400))
