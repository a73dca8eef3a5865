import { expect, it } from 'vitest'
import { createClientAddress } from '../../../src/lib/net/client-address.ts'

const address = (proxies: string[], peer: string, forwardedFor?: string) =>
  createClientAddress(proxies)(peer, forwardedFor)

it('is the connection’s, whatever the field says, when no proxy is trusted', () => {
  expect(address([], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  expect(address(['10.0.0.0/8'], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
})

it.each([
  [['10.0.0.0/8'], '10.1.2.3'],
  [['10.1.2.3'], '10.1.2.3'],
  [['loopback'], '127.0.0.1'],
  [['loopback'], '::1'],
  [['loopback'], '::ffff:127.0.0.1'],
  [['linklocal'], 'fe80::1'],
  [['uniquelocal'], '192.168.1.1'],
  [['2001:db8::/32'], '2001:db8::7'],
])('is the address that a trusted proxy reports: of %j at %s', (proxies, peer) => {
  expect(address(proxies, peer, '198.51.100.1')).toBe('198.51.100.1')
  expect(address(proxies, peer, '2001:db8:1::1')).toBe('2001:db8:1::1')
  expect(address(proxies, peer)).toBe(peer.replace('::ffff:', ''))
})

it('is the client of the first of several trusted proxies, not what that client claims', () => {
  const chain = '192.0.2.66, 198.51.100.1, 10.0.0.2'
  expect(address(['10.0.0.0/8'], '10.0.0.1', chain)).toBe('198.51.100.1')
  expect(address(['10.0.0.0/8'], '10.0.0.1', '198.51.100.1,10.0.0.3,10.0.0.2')).toBe('198.51.100.1')
})

it('is that of IPv4 for a client of IPv4, however it is connected', () => {
  expect(address([], '::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(address(['loopback'], '127.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9')
})

it.each(['unknown', '', '198.51.100.1:80', '<script>', '10.0.0.2, nonsense'])(
  'is the last valid address: %j',
  (field) => {
    expect(address(['10.0.0.0/8'], '10.0.0.1', field)).toBe('10.0.0.1')
  },
)
