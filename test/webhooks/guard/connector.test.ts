/** Connections go to the address that was checked, and to none inside. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BlockedAddressError,
  createConnector,
  UnresolvedError,
} from '../../../src/webhooks/guard/connector.ts'
import { createResolve, type Resolve } from '../../../src/webhooks/guard/resolve.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
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
  throw new Error('Nobody is to be asked.')
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

describe('a name', () => {
  it('is connected to at the address that the look-up gave, not at any that the system knows', async () => {
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
  ])('that leads to %j is refused', async (address) => {
    await expect(connect('a.example.com', async () => [address])).rejects.toBeInstanceOf(BlockedAddressError)
    expect(receiver.connections).toBe(0)
  })

  it.each([[['8.8.8.8', '127.0.0.1']], [['127.0.0.1', '8.8.8.8']], [['2606:4700::1111', '::1']], [[]]])(
    'that leads to all of %j is refused as a whole',
    async (addresses) => {
      await expect(connect('a.example.com', async () => addresses)).rejects.toBeInstanceOf(
        BlockedAddressError,
      )
      expect(receiver.connections).toBe(0)
    },
  )

  it('is looked up anew for each connection: what was public a moment ago may lead inside now', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1']]
    const asked: string[] = []
    const resolve: Resolve = async (name) => {
      asked.push(name)
      return answers.shift() ?? ['10.0.0.1']
    }
    await connect('a.example.com', resolve, true)
    await connect('a.example.com', resolve, true)
    await expect(connect('a.example.com', resolve)).rejects.toBeInstanceOf(BlockedAddressError)
    expect(asked).toEqual(['a.example.com', 'a.example.com', 'a.example.com'])
    expect(receiver.connections).toBe(2)
  })

  it('is not connected to where it can not be looked up', async () => {
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

  it('gives the addresses of both kinds, through aliases', async () => {
    dns.set('a.example.com', 'CNAME', ['b.example.com'])
    dns.set('b.example.com', 'A', ['192.0.2.1', '192.0.2.2'])
    dns.set('b.example.com', 'AAAA', ['2001:db8::1'])
    const addresses = await createResolve([dns.address])('a.example.com')
    expect(addresses.sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  })

  it('gives those of one kind where the other fails', async () => {
    dns.set('a.example.com', 'A', ['192.0.2.1'])
    dns.failWith('SERVFAIL', 'a.example.com', 'AAAA')
    expect(await createResolve([dns.address])('a.example.com')).toEqual(['192.0.2.1'])
  })

  it.each(['SERVFAIL', 'REFUSED', 'garbage'] as const)(
    'fails where the resolver answers %s',
    async (failure) => {
      dns.failWith(failure)
      await expect(createResolve([dns.address])('a.example.com')).rejects.toThrow('has no address')
    },
  )
})
