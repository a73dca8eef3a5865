/** How many UDP responses one network gets. */
import { describe, expect, it } from 'vitest'
import { createResponseRate } from '../../../../src/roles/nameserver/sockets/response-rate.ts'

function counted(verdict: (address: string) => string, address: string, times: number) {
  const counts = { send: 0, truncate: 0, drop: 0 }
  for (let count = 0; count < times; count += 1) {
    const each = verdict(address)
    if (each === 'send' || each === 'truncate' || each === 'drop') counts[each] += 1
  }
  return counts
}

describe('500 queries within a second from one network', () => {
  it('get 50 responses; half of the others are truncated, for a retry by TCP, half dropped', () => {
    const verdict = createResponseRate(50, () => 0)
    expect(counted(verdict, '192.0.2.1', 500)).toEqual({ send: 50, truncate: 225, drop: 225 })
  })

  it('do not affect other networks', () => {
    const verdict = createResponseRate(50, () => 0)
    counted(verdict, '192.0.2.1', 500)
    expect(verdict('192.0.2.254')).not.toBe('send')
    expect(verdict('::ffff:192.0.2.7')).not.toBe('send')
    expect(verdict('192.0.3.1')).toBe('send')
    expect(verdict('2001:db8::1')).toBe('send')
  })

  it('get responses again as time passes', () => {
    let nowMs = 0
    const verdict = createResponseRate(50, () => nowMs)
    counted(verdict, '192.0.2.1', 500)
    nowMs = 100
    expect(counted(verdict, '192.0.2.1', 500).send).toBe(5)
    nowMs = 60_000
    expect(counted(verdict, '192.0.2.1', 500).send).toBe(50)
  })
})

it('an IPv6 network is a /56', () => {
  const verdict = createResponseRate(1, () => 0)
  expect(verdict('2001:db8:0:aa01::1')).toBe('send')
  expect(verdict('2001:db8:0:aaff:ffff::1')).not.toBe('send')
  expect(verdict('2001:db8:0:ab00::1')).toBe('send')
  expect(verdict('fe80::1%eth0')).toBe('send')
  expect(verdict('fe80::2%eth0')).not.toBe('send')
})

it('0 disables the limit', () => {
  expect(
    counted(
      createResponseRate(0, () => 0),
      '192.0.2.1',
      10_000,
    ).send,
  ).toBe(10_000)
})
