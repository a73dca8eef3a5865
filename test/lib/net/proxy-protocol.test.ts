import { describe, expect, it } from 'vitest'
import { parseProxyHeader } from '../../../src/lib/net/proxy-protocol.ts'

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

/** A header of version 2: `command` and `family` as their bytes. */
function binary(command: number, family: number, addresses: Buffer): Buffer {
  const fixed = Buffer.from([command, family, 0, 0])
  fixed.writeUInt16BE(addresses.length, 2)
  return Buffer.concat([signature, fixed, addresses])
}

const ports = Buffer.from([0x1f, 0x90, 0x01, 0xbb])
const v4 = Buffer.concat([Buffer.from([192, 0, 2, 1, 192, 0, 2, 2]), ports])
const v6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000001', 'hex'),
  Buffer.from('20010db8000000000000000000000002', 'hex'),
  ports,
])

describe('a PROXY header', () => {
  it.each([
    ['version 1, IPv4', 'PROXY TCP4 192.0.2.1 192.0.2.2 8080 443\r\n', '192.0.2.1'],
    ['version 1, IPv6', 'PROXY TCP6 2001:db8::1 2001:db8::2 8080 443\r\n', '2001:db8::1'],
    ['version 1 of a connection that it does not know', 'PROXY UNKNOWN anything\r\n', undefined],
    ['version 2, IPv4', binary(0x21, 0x11, v4), '192.0.2.1'],
    ['version 2, IPv6', binary(0x21, 0x21, v6), '2001:db8::1'],
    [
      'version 2 with fields behind the addresses',
      binary(0x21, 0x11, Buffer.concat([v4, Buffer.from('0200016161', 'hex')])),
      '192.0.2.1',
    ],
    ['version 2 of the proxy itself', binary(0x20, 0x00, Buffer.alloc(0)), undefined],
  ])('of %s has the client, and leaves what follows', (_, header, client) => {
    const bytes = Buffer.from(header)
    expect(parseProxyHeader(Buffer.concat([bytes, Buffer.from('GET /')]))).toEqual({
      client,
      length: bytes.length,
    })
    // Whatever the pieces in which it arrives.
    for (let length = 1; length < bytes.length; length += 1) {
      expect(parseProxyHeader(bytes.subarray(0, length))).toBe('more')
    }
  })

  it.each([
    ['no header', 'GET / HTTP/1.1\r\n'],
    ['TLS', Buffer.from([22, 3, 1, 2, 0])],
    ['an address of the other family', 'PROXY TCP4 2001:db8::1 2001:db8::2 8080 443\r\n'],
    ['no address', 'PROXY TCP4 example.com 192.0.2.2 8080 443\r\n'],
    ['a port that is none', 'PROXY TCP4 192.0.2.1 192.0.2.2 8080 65536\r\n'],
    ['a missing port', 'PROXY TCP4 192.0.2.1 192.0.2.2 8080\r\n'],
    ['a line that does not end', `PROXY UNKNOWN ${'a'.repeat(200)}`],
    ['another version', binary(0x31, 0x11, v4)],
    ['another command', binary(0x22, 0x11, v4)],
    ['too few addresses', binary(0x21, 0x21, v4)],
    ['a Unix socket', binary(0x21, 0x31, Buffer.alloc(216))],
    ['a length beyond all measure', binary(0x21, 0x11, Buffer.alloc(5_000))],
  ])('of %s is invalid', (_, header) => {
    expect(parseProxyHeader(Buffer.from(header))).toBe('invalid')
  })
})
