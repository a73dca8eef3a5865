/** The places that servers may connect to. */
import { describe, expect, it } from 'vitest'
import { parsePrivatePlace } from '../../../../src/lib/names/private-place.ts'
import { createGuard } from '../../../../src/platform/servers/way-out/guard.ts'

const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example': ['10.0.0.5'],
  'half.example': ['93.184.216.34', '10.0.0.5'],
  'mapped.example': ['::ffff:10.0.0.5'],
  'own.example': ['93.184.216.99'],
  'nowhere.example': [],
}

const acme = { id: 'team_1', slug: 'acme' }
const other = { id: 'team_2', slug: 'other' }

const guard = createGuard({
  async resolve(name) {
    const found = names[name] ?? []
    if (found.length === 0) throw new Error('none')
    return found
  },
  resolveOpened: async () => ['10.0.0.9'],
  places: ['acme=10.0.0.5:5432', 'team_1=db.internal:6379', '*=93.184.216.99:443']
    .map(parsePrivatePlace)
    .filter((place) => place !== undefined),
  ownAddresses: () => ['93.184.216.99', '2606:2800:220:1::99'],
})

describe('open', () => {
  it.each([
    ['a name with public addresses', 'public.example', 443, ['93.184.216.34', '2606:2800:220:1::1']],
    ['a public address', '93.184.216.34', 22, ['93.184.216.34']],
    ['an address that the operator has opened', '10.0.0.5', 5432, ['10.0.0.5']],
    ['a name that leads to such an address', 'inside.example', 5432, ['10.0.0.5']],
    ['such an address among public ones', 'half.example', 5432, ['93.184.216.34', '10.0.0.5']],
    ['such an address as IPv6', 'mapped.example', 5432, ['10.0.0.5']],
    ['a name that the operator has opened', 'db.internal', 6379, ['10.0.0.9']],
    ['an address of this host that is opened to all', 'own.example', 443, ['93.184.216.99']],
  ])('%s', async (_, name, port, addresses) => {
    expect(await guard.addressesOf({ name, port }, acme)).toEqual(addresses)
  })
})

describe('refused', () => {
  it.each([
    ['this host', '127.0.0.1', 5432, 'inside'],
    ['this host by IPv6', '::1', 5432, 'inside'],
    ['any address of this host', '0.0.0.0', 80, 'inside'],
    ['another port of an opened address', '10.0.0.5', 5433, 'inside'],
    ['a private network', '192.168.1.1', 80, 'inside'],
    ['the metadata of clouds', '169.254.169.254', 80, 'inside'],
    ['the metadata of Azure', '168.63.129.16', 80, 'inside'],
    ['a private address by NAT64', '64:ff9b::a00:5', 80, 'inside'],
    ['a private address by 6to4', '2002:a00:5::1', 80, 'inside'],
    ['a network of this site', 'fd00::1', 80, 'inside'],
    ['a name with a private address among public ones', 'half.example', 80, 'inside'],
    ['a name with a private address as IPv6', 'mapped.example', 80, 'inside'],
    ['a public address of this host', '93.184.216.99', 5432, 'own'],
    ['such an address by IPv6', '2606:2800:220:1::99', 443, 'own'],
    ['such an address by a name', 'own.example', 80, 'own'],
    ['a name without an address', 'nowhere.example', 80, 'unresolved'],
    ['another port of an opened name', 'db.internal', 80, 'unresolved'],
    ['another notation of an address', '127.1', 80, 'unresolved'],
  ])('%s', async (_, name, port, reason) => {
    await expect(guard.addressesOf({ name, port }, acme)).rejects.toMatchObject({ name: 'Refusal', reason })
  })

  it.each([
    ['an address', '10.0.0.5', 5432, 'inside'],
    ['a name', 'db.internal', 6379, 'unresolved'],
    ['a name that leads to the address', 'inside.example', 5432, 'inside'],
  ])('%s that is opened to another team', async (_, name, port, reason) => {
    await expect(guard.addressesOf({ name, port }, other)).rejects.toMatchObject({ reason })
  })

  it('with a sentence that names the place', async () => {
    await expect(guard.addressesOf({ name: 'fd00::1', port: 80 }, acme)).rejects.toThrow(
      /^No way to \[fd00::1\]:80, which has no public address: .*SVC_RUNTIME_PRIVATE\.$/,
    )
  })
})

it('asks for the addresses of a name each time', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const rebinding = createGuard({
    resolve: async () => answers.shift() ?? [],
    resolveOpened: async () => [],
    places: [],
    ownAddresses: () => [],
  })
  const place = { name: 'rebinding.example', port: 80 }
  expect(await rebinding.addressesOf(place, acme)).toEqual(['93.184.216.34'])
  await expect(rebinding.addressesOf(place, acme)).rejects.toMatchObject({ reason: 'inside' })
})
