/** Connections go to the address that was checked, and to no private one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createResolve, type Resolve } from '../../../../src/lib/net/resolve.ts'
import { BlockedAddressError, UnresolvedError } from '../../../../src/lib/net/vetted-lookup.ts'
import { createConnector } from '../../../../src/platform/webhooks/guard/connector.ts'
import { type DnsServer, startDnsServer } from '../../../support/dns-server.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
})

afterEach(() => receiver.close())

/** Tries to connect to the receiver's port at `host`. */
function connect(host: string, resolve: Resolve, allowPrivate = false, timeoutMs = 300): Promise<string> {
  const connector = createConnector({ resolve, allowPrivate, timeoutMs })
  return new Promise((done, fail) => {
    const options = { hostname: host, host, protocol: 'http:', port: String(receiver.port) }
    connector(options, (error, socket) => {
      if (error) return fail(error)
      done(socket.remoteAddress ?? '')
      socket.destroy()
    })
  })
}

const nobody: Resolve = async () => {
  throw new Error('There must be no look-up.')
}

describe('an address in the URL', () => {
  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('%s is refused', async (address) => {
    await expect(connect(address, nobody)).rejects.toBeInstanceOf(BlockedAddressError)
    expect(receiver.connections).toBe(0)
  })
})

describe('a host name', () => {
  it('is connected to at the address that the look-up returned, not at the system’s', async () => {
    expect(await connect('no-such-name.invalid', async () => ['127.0.0.1'], true)).toBe('127.0.0.1')
    expect(receiver.connections).toBe(1)
  })

  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%lo',
    '127.1',
    'localhost',
    '',
  ])('that resolves to %j is refused', async (address) => {
    await expect(connect('a.example.com', async () => [address])).rejects.toBeInstanceOf(BlockedAddressError)
    expect(receiver.connections).toBe(0)
  })

  it.each([[['8.8.8.8', '127.0.0.1']], [['127.0.0.1', '8.8.8.8']], [['2606:4700::1111', '::1']], [[]]])(
    'that resolves to all of %j is refused as a whole',
    async (addresses) => {
      await expect(connect('a.example.com', async () => addresses)).rejects.toBeInstanceOf(
        BlockedAddressError,
      )
      expect(receiver.connections).toBe(0)
    },
  )

  it('is looked up for each connection: a public name may resolve to a private address later', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1']]
    const lookedUp: string[] = []
    const resolve: Resolve = async (name) => {
      lookedUp.push(name)
      return answers.shift() ?? ['10.0.0.1']
    }
    await connect('a.example.com', resolve, true)
    await connect('a.example.com', resolve, true)
    await expect(connect('a.example.com', resolve)).rejects.toBeInstanceOf(BlockedAddressError)
    expect(lookedUp).toEqual(['a.example.com', 'a.example.com', 'a.example.com'])
    expect(receiver.connections).toBe(2)
  })

  it('is not connected to when the look-up fails', async () => {
    await expect(connect('a.example.com', nobody, true)).rejects.toBeInstanceOf(UnresolvedError)
    expect(receiver.connections).toBe(0)
  })
})

describe('the look-up', () => {
  let dns: DnsServer

  beforeEach(async () => {
    dns = await startDnsServer()
  })

  afterEach(() => dns.close())

  it('returns the addresses of both families, through aliases', async () => {
    dns.set('a.example.com', 'CNAME', ['b.example.com'])
    dns.set('b.example.com', 'A', ['192.0.2.1', '192.0.2.2'])
    dns.set('b.example.com', 'AAAA', ['2001:db8::1'])
    const addresses = await createResolve([dns.address])('a.example.com')
    expect(addresses.sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  })

  it('returns those of one family when the other fails', async () => {
    dns.set('a.example.com', 'A', ['192.0.2.1'])
    dns.failWith('SERVFAIL', 'a.example.com', 'AAAA')
    expect(await createResolve([dns.address])('a.example.com')).toEqual(['192.0.2.1'])
  })

  it.each(['SERVFAIL', 'REFUSED', 'garbage'] as const)(
    'fails when the resolver answers %s',
    async (failure) => {
      dns.failWith(failure)
      await expect(createResolve([dns.address])('a.example.com')).rejects.toThrow('has no address')
    },
  )
})
