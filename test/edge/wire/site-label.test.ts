/** What a `Host` value means. */
import { expect, it } from 'vitest'
import { createReadLabel } from '../../../src/edge/wire/site-label.ts'

const readLabel = createReadLabel('svc.site')

it.each([
  'web.svc.site',
  'WEB.Svc.SITE',
  'web.svc.site.',
  'web.svc.site:8080',
  'web.svc.site.:8080',
  'web.svc.site:',
])('%s is the site web', (host) => expect(readLabel(host)).toBe('web'))

it('takes labels of up to 63 characters', () => {
  expect(readLabel(`${'a'.repeat(63)}.svc.site`)).toBe('a'.repeat(63))
  expect(readLabel(`${'a'.repeat(64)}.svc.site`)).toBe(404)
})

it.each([
  'svc.site',
  'a.web.svc.site',
  'web.svc.site.evil.com',
  'websvc.site',
  'evil.com',
  'x_y.svc.site',
  'web.svcxsite',
  '127.0.0.1',
  '127.0.0.1:8080',
  '[::1]:8080',
  'svc.site.',
])('404 for %s', (host) => expect(readLabel(host)).toBe(404))

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
])('400 for %j', (host) => expect(readLabel(host)).toBe(400))
