/** Which hosts are reached without a proxy. */
import { expect, it } from 'vitest'
import { isDirect } from '../../../../src/cli/connection/proxy/bypass.ts'

it.each([
  ['', 'http://localhost:3000'],
  ['', 'http://web.localhost'],
  ['', 'http://127.0.0.1:3000'],
  ['', 'http://127.8.8.8'],
  ['', 'http://[::1]:3000'],
  ['*', 'https://svc.example.com'],
  ['svc.example.com', 'https://svc.example.com'],
  ['SVC.Example.COM', 'https://svc.example.com'],
  ['example.com', 'https://svc.example.com'],
  ['.example.com', 'https://svc.example.com'],
  ['*.example.com', 'https://svc.example.com'],
  ['.example.com', 'https://example.com'],
  ['a.test, example.com ,b.test', 'https://svc.example.com.'],
  ['a.test example.com', 'https://svc.example.com'],
  ['example.com:443', 'https://svc.example.com'],
  ['example.com:8443', 'https://svc.example.com:8443'],
  ['example.com:80', 'http://svc.example.com'],
  ['192.0.2.7', 'http://192.0.2.7:3000'],
  ['192.0.2.0/24', 'http://192.0.2.7'],
  ['10.0.0.0/8', 'http://10.1.2.3'],
  ['2001:db8::1', 'http://[2001:db8::1]'],
  ['2001:db8:0::1', 'http://[2001:db8::1]'],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ['2001:db8::/32', 'http://[2001:db8::1]'],
])('%j: %s directly', (list, url) => expect(isDirect(list, new URL(url))).toBe(true))

it.each([
  ['', 'https://svc.example.com'],
  [',, ', 'https://svc.example.com'],
  ['ample.com', 'https://svc.example.com'],
  ['a.svc.example.com', 'https://svc.example.com'],
  ['example.com:80', 'https://svc.example.com'],
  ['example.com:8443', 'https://svc.example.com'],
  ['192.0.2.0/24', 'http://192.0.3.7'],
  ['192.0.2.0/33', 'http://192.0.2.7'],
  ['192.0.2.7', 'http://192.0.2.70'],
  ['.2.7', 'http://192.0.2.7'],
  ['2001:db8::/32', 'http://[2001:db9::1]'],
  ['10.0.0.0/8', 'http://10.example.com'],
  ['not/a/network', 'https://svc.example.com'],
])('%j: %s by the proxy', (list, url) => expect(isDirect(list, new URL(url))).toBe(false))
