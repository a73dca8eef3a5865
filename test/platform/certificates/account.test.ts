/** The account at the certificate authority, and the zone that names it. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSharedAccount } from '../../../src/platform/certificates/account.ts'
import { AcmeError } from '../../../src/platform/certificates/acme/problem.ts'
import { registrableDomains } from '../../../src/stores/db/schema/domains.ts'
import { hasPebble } from '../../support/has-pebble.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { type Pebble, startPebble } from '../../support/pebble.ts'

describe.skipIf(!hasPebble)('the account', () => {
  let node: TestNode
  let pebble: Pebble
  beforeAll(async () => {
    node = await startTestNode()
    pebble = await startPebble({ httpPort: '1', tlsPort: '1', dnsServer: '127.0.0.1:1' })
  })
  afterAll(async () => {
    await pebble.close()
    await node.stop()
  })

  async function open() {
    const { store } = node.installation
    const family = `${unique('sites')}.example`
    const account = createSharedAccount({
      store,
      caaFamily: family,
      key: randomBytes(32),
      nowMs: () => 0,
      authority: {
        directoryUrl: pebble.directoryUrl,
        ca: await readFile(pebble.caFile, 'utf8'),
        email: undefined,
        binding: undefined,
      },
      stopping: new AbortController().signal,
    })
    onTestFinished(() => account.close())
    async function serial() {
      const found = await store.db
        .select()
        .from(registrableDomains)
        .where(eq(registrableDomains.name, family))
      return found[0]?.serial
    }
    return { account, serial }
  }

  it('raises its zone’s serial when it is made and when it is gone, not in between', async () => {
    const { account, serial } = await open()
    expect(await serial()).toBeUndefined()
    const made = await account.open()
    expect(await serial()).toBe(0)
    expect(await account.open()).toBe(made)
    const refused = new AcmeError({ type: 'urn:ietf:params:acme:error:unauthorized' }, 403)
    expect(await account.forgetIfGone(made, refused)).toBe(false)
    expect(await serial()).toBe(0)

    await pebble.restart()
    expect(await account.forgetIfGone(made, refused)).toBe(true)
    expect(await serial()).toBe(1)
    await account.open()
    expect(await serial()).toBe(2)
  })
})
