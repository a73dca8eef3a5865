import { describe, expect, it } from 'vitest'
import { checkChain } from '../../../src/platform/certificates/chain.ts'
import { generateKey } from '../../../src/platform/certificates/x509/keys.ts'
import { newCertificate } from '../../support/certificate.ts'

const nowMs = Date.now()
const make = (name: string) => newCertificate(name)

describe('a chain', () => {
  it('that fits has the validity of its certificate', async () => {
    const { cert, key } = await make('www.example.com')
    const { notBeforeMs, notAfterMs } = checkChain(cert, key, ['www.example.com'])
    expect(notBeforeMs).toBeLessThan(nowMs)
    expect(notAfterMs).toBeGreaterThan(nowMs)
  })

  it('of a wildcard is for names below it, not for the name itself', async () => {
    const { cert, key } = await make('*.example.com')
    expect(() => checkChain(cert, key, ['*.example.com', 'www.example.com'])).not.toThrow()
    expect(() => checkChain(cert, key, ['example.com'])).toThrow('is not for example.com')
    const { cert: one, key: its } = await make('www.example.com')
    expect(() => checkChain(one, its, ['*.example.com'])).toThrow('is not for *.example.com')
  })

  it.each([
    ['no PEM', 'has no PEM block', async () => ({ chain: 'hello' })],
    [
      'a damaged block',
      'is damaged',
      async () => ({ chain: '-----BEGIN CERTIFICATE-----\naaaa\n-----END CERTIFICATE-----' }),
    ],
    ['another name', 'is not for www.example.com', async () => ({ chain: (await make('example.com')).cert })],
    ['no key', 'needs a private key', async () => ({ key: 'hello' })],
    ['another key', 'belongs to another key', async () => ({ key: await generateKey() })],
    [
      'issuers of others',
      'has issuers in another order',
      async (cert: string) => ({
        chain: `${cert}\n${(await make('x.example')).cert.replace('MIIB', 'MIIB')}`,
      }),
    ],
  ])('with %s is refused', async (_, message, change) => {
    const { cert, key } = await make('www.example.com')
    const changed = { chain: cert, key, ...(await change(cert)) }
    const own = message.includes('for www') ? await make('example.com') : undefined
    const given = own ? { chain: own.cert, key: own.key } : changed
    expect(() => checkChain(given.chain, given.key, ['www.example.com'])).toThrow(message)
  })
})
