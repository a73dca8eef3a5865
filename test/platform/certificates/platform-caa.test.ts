import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPlatformCaa } from '../../../src/platform/certificates/platform-caa.ts'
import { acmeAccounts } from '../../../src/stores/db/schema/certificates.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'

describe('the CAA records of the platform’s names', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await startTestNode()
  })
  afterAll(() => node.stop())

  const url = 'https://acme.example/acct/1'

  async function caaOf(account: { url: string | null; caaIdentities: string[] | null }): Promise<string[]> {
    const { db } = node.installation.store
    const directory = `https://${unique('acme')}.example/directory`
    await db.insert(acmeAccounts).values({ directory, keySealed: 'sealed', ...account })
    return readPlatformCaa(db, directory)
  }

  it('name the account at each name of an authority that obeys them, and at no other', async () => {
    const caaIdentities = ['pki.example', 'letsencrypt.org']
    expect(await caaOf({ url, caaIdentities })).toEqual([`0 issue "letsencrypt.org; accounturi=${url}"`])
    expect(await caaOf({ url, caaIdentities: ['pki.example'] })).toEqual([])
    expect(await caaOf({ url, caaIdentities: [] })).toEqual([])
  })

  it('don’t exist before the account does, or its authority was read', async () => {
    const { db } = node.installation.store
    expect(await readPlatformCaa(db, 'https://nowhere.example/directory')).toEqual([])
    expect(await caaOf({ url: null, caaIdentities: ['letsencrypt.org'] })).toEqual([])
    expect(await caaOf({ url, caaIdentities: null })).toEqual([])
  })

  it.each(['https://a.example/"\\n', 'https://a.example/1; policy=any', 'https://a.example/ü'])(
    'leave out an account at %j, which fits into no parameter',
    async (odd) => {
      expect(await caaOf({ url: odd, caaIdentities: ['letsencrypt.org'] })).toEqual([])
    },
  )
})
