import { expect, it } from 'vitest'
import { addressBucket } from '../../../src/platform/limits/address-bucket.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
])('an IPv4 address is one client, also when it is written as IPv6: %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket)
})

it.each([
  '2001:db8:1:2::1',
  '2001:db8:1:2:ffff:ffff:ffff:ffff',
  '2001:0DB8:0001:0002:0:0:0:0',
  '2001:db8:1:2::203.0.113.7',
  '2001:db8:1:2::1%eth0',
])('a whole /64 is one client: %s', (address) => {
  expect(addressBucket(address)).toBe('2001:db8:1:2')
})

it.each([
  ['2001:db8:1:3::1', '2001:db8:1:3'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%2', 'fe80:0:0:0'],
  ['1::', '1:0:0:0'],
])('another /64 is another client: %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket)
})

it.each(['', 'unix:', 'localhost', '203.0.113.7, 198.51.100.1', '1.2.3.4:80', 'a'.repeat(10_000)])(
  'invalid addresses share one bucket: %.20s',
  (text) => {
    expect(addressBucket(text)).toBe('unknown')
  },
)
