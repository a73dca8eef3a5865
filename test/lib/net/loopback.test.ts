/** Over which URLs a password would travel unencrypted through a network. */
import { expect, it } from 'vitest'
import { isExposed } from '../../../src/lib/net/loopback.ts'

it.each([
  'http://svc.example.com',
  'http://192.168.0.2:8080',
  'http://127.example.com',
  'http://localhost.example.com',
  'http://[::2]:8080',
])('%s is exposed', (url) => {
  expect(isExposed(url)).toBe(true)
})

it.each([
  'https://svc.example.com',
  'http://localhost:8080',
  'http://api.localhost:8080',
  'http://127.0.0.1:8080',
  'http://127.1',
  'http://2130706433',
  'http://[::1]:8080',
])('%s is not', (url) => {
  expect(isExposed(url)).toBe(false)
})
