/** Keys of issuers: fetched once, again when they change, and never from who isn't there. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdentities } from '../../../../src/platform/callers/workloads/identities.ts'
import { startIssuer, type TestIssuer } from '../../../support/identity-issuer.ts'

const audience = 'https://api.example.com'

let issuer: TestIssuer

beforeEach(async () => {
  issuer = await startIssuer()
})

afterEach(() => issuer.close())

it('fetches keys once for many tokens', async () => {
  const identities = createIdentities([issuer.url])
  for (let i = 0; i < 5; i += 1) {
    const token = await issuer.token({ aud: audience, sub: `job ${i}` })
    const identity = await identities.verify(token, audience, Date.now())
    expect(identity).toMatchObject({ issuer: issuer.url, claims: { sub: `job ${i}` } })
  }
  expect(issuer.fetches()).toBe(1)
})

it('takes tokens of a new key, and no longer those of the one before', async () => {
  const identities = createIdentities([issuer.url], 0)
  const before = await issuer.token({ aud: audience })
  await identities.verify(before, audience, Date.now())
  await issuer.rotate()
  const after = await issuer.token({ aud: audience, sub: 'after' })
  expect(await identities.verify(after, audience, Date.now())).toMatchObject({ claims: { sub: 'after' } })
  const refused = identities.verify(before, audience, Date.now())
  await expect(refused).rejects.toMatchObject({ reason: 'unauthorized' })
})

it('fetches none again for tokens of unknown keys that come one after another', async () => {
  const identities = createIdentities([issuer.url])
  await identities.verify(await issuer.token({ aud: audience }), audience, Date.now())
  await issuer.rotate()
  for (let i = 0; i < 5; i += 1) {
    const refused = identities.verify(await issuer.token({ aud: audience }), audience, Date.now())
    await expect(refused).rejects.toMatchObject({ reason: 'unauthorized' })
  }
  expect(issuer.fetches()).toBe(1)
})

it('asks an issuer that was away again', async () => {
  const token = await issuer.token({ aud: audience })
  const identities = createIdentities([issuer.url, 'http://127.0.0.1:1'])
  const ofNobody = await issuer.token({ aud: audience, iss: 'http://127.0.0.1:1' })
  const away = identities.verify(ofNobody, audience, Date.now())
  await expect(away).rejects.toMatchObject({ reason: 'issuer_unavailable' })
  expect(await identities.verify(token, audience, Date.now())).toMatchObject({ issuer: issuer.url })
})
