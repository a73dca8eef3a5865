/** The address of a secret, as apps for codes read it. */
import { URI } from 'otpauth'
import { expect, it } from 'vitest'
import { newTotpSecret, totpUrl } from '../../../../src/platform/people/second-factor/totp.ts'

it.each([
  ['https://api.example.com', 'jane@example.com', 'api.example.com:jane%40example.com'],
  ['http://localhost:3000', 'a+tag@example.com', 'localhost:a%2Btag%40example.com'],
  ['http://[2001:db8::1]:3000', 'jane@example.com', '2001-db8--1:jane%40example.com'],
  ['https://api.example.com:8443/', '"a:b"@example.com', 'api.example.com:%22a-b%22%40example.com'],
  ['https://bücher.example', 'usr_1', 'xn--bcher-kva.example:usr_1'],
])('at %s for %s it has one colon, between issuer and account', (apiUrl, label, path) => {
  const secret = newTotpSecret()
  const url = totpUrl(secret, { apiUrl, label })
  const [issuer = ''] = path.split(':')
  expect(url.slice(0, url.indexOf('&'))).toBe(`otpauth://totp/${path}?issuer=${issuer}`)
  expect(new URL(url).searchParams.get('issuer')).toBe(issuer)
  expect(decodeURIComponent(new URL(url).pathname).match(/:/g)).toHaveLength(1)
  expect(URI.parse(url)).toMatchObject({ issuer, label: decodeURIComponent(path.slice(issuer.length + 1)) })
  expect(new URL(url).searchParams.get('secret')).toBe(secret)
})
