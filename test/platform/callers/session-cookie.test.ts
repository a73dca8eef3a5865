import { describe, expect, it } from 'vitest'
import { checkOrigin } from '../../../src/platform/callers/session-cookie.ts'

const apiUrl = 'https://api.example.com'

describe('a mutation with a cookie', () => {
  it.each([
    ["the API's own origin", { origin: apiUrl }],
    ['a browser that calls it same-origin', { 'sec-fetch-site': 'same-origin' }],
    [
      'the same, at another of its addresses',
      { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' },
    ],
  ])('is accepted from %s', (_, headers) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(() => checkOrigin(method, headers, apiUrl)).not.toThrow()
    }
  })

  it.each([
    ['nowhere', {}],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a site next to it', { origin: 'https://www.example.com', 'sec-fetch-site': 'same-site' }],
    ['another scheme', { origin: 'http://api.example.com' }],
    ['another port', { origin: 'https://api.example.com:8443' }],
    ['an origin that only has it as a prefix', { origin: 'https://api.example.com.evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
  ])('is refused from %s', (_, headers) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect(() => checkOrigin(method, headers, apiUrl)).toThrow(apiUrl)
    }
  })
})

it('a query is accepted from everywhere: other origins cannot read the response', () => {
  for (const method of ['GET', 'HEAD']) {
    expect(() => checkOrigin(method, { origin: 'https://evil.example' }, apiUrl)).not.toThrow()
  }
})
