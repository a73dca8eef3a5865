import { describe, expect, it } from 'vitest'
import { warningsOf } from '../../../src/lib/settings/checks.ts'
import { parseSettings } from '../../../src/lib/settings/parse.ts'

const from = 'svc <svc@example.com>'
const url = 'smtps://svc:secret@mail.example.com'

const parse = (SVC_SMTP_URL: string, SVC_SMTP_FROM = from) => parseSettings({ SVC_SMTP_URL, SVC_SMTP_FROM })

describe('the server of mails', () => {
  it.each([
    [url, { host: 'mail.example.com', port: 465, isSecure: true, user: 'svc', password: 'secret' }],
    ['smtp://mail.example.com', { port: 587, isSecure: false, user: undefined, password: undefined }],
    ['smtp://localhost:25/', { host: 'localhost', port: 25 }],
    ['smtp://[::1]:25', { host: '::1' }],
    [
      'smtp://ada%40example.com:p%40ss%2Fw%C3%B6rd@mail.test',
      { user: 'ada@example.com', password: 'p@ss/wörd' },
    ],
  ])('%s', (text, server) => {
    expect(parse(text).SVC_SMTP_URL).toMatchObject(server)
  })

  it.each([
    'mail.example.com:465',
    'https://mail.example.com',
    'smtps://',
    'smtps://mail.example.com/inbox',
    'smtps://mail.example.com?tls.rejectUnauthorized=false',
    'smtps://mail.example.com#a',
    'smtps://svc@mail.example.com',
    'smtps://:secret@mail.example.com',
    'smtps://mail example.com',
    'smtps://mail.example.com:99999',
  ])('%s is refused', (text) => {
    expect(() => parse(text)).toThrow(/^SVC_SMTP_URL should be an address such as smtps:.+\.$/)
  })
})

describe('the sender of mails', () => {
  it.each([
    [from, { name: 'svc', address: 'svc@example.com' }],
    ['"Acme, Hosting" <svc@example.com>', { name: 'Acme, Hosting', address: 'svc@example.com' }],
    ['svc@example.com', { name: '', address: 'svc@example.com' }],
  ])('%s', (text, sender) => {
    expect(parse(url, text).SVC_SMTP_FROM).toEqual(sender)
  })

  it.each(['svc', 'svc <svc>', 'a@example.com, b@example.com', 'svc\r\nBcc: eve@evil.test <a@example.com>'])(
    '%j is refused',
    (text) => {
      expect(() => parse(url, text)).toThrow(
        'SVC_SMTP_FROM should be a sender such as svc <svc@example.com>.',
      )
    },
  )
})

it('both are set, or none', () => {
  expect(() => parseSettings({ SVC_SMTP_URL: url })).toThrow('SVC_SMTP_FROM is required with SVC_SMTP_URL')
  expect(() => parseSettings({ SVC_SMTP_FROM: from })).toThrow('SVC_SMTP_FROM is set without SVC_SMTP_URL.')
})

it('without a public address there is a warning, since nobody else could follow the links', () => {
  expect(warningsOf(parse(url))).toEqual([expect.stringContaining('not SVC_URL')])
  const whole = { SVC_SMTP_URL: url, SVC_SMTP_FROM: from, SVC_URL: 'https://svc.example.com' }
  expect(warningsOf(parseSettings(whole))).toEqual([])
})
