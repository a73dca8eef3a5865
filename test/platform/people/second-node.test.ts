/** A passkey at a node whose challenge came from another one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { newAuthenticator } from '../../support/authenticator.ts'
import { newBrowser } from '../../support/browser.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { callsOf, clientOf, newPerson, password, signIn } from '../../support/person.ts'

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('a passkey at two nodes', () => {
  let one: TestNode
  let other: TestNode

  beforeAll(async () => {
    one = await startOwnNode()
    other = await startTestNode({ SVC_ROLES: 'api', DATABASE_URL: String(one.settings.DATABASE_URL) })
  })

  afterAll(async () => {
    await other.stop()
    await one.stop()
  })

  it('signs in at either with the challenge of one, and once at both', async () => {
    const person = await signIn(one, await newPerson(one))
    const authenticator = newAuthenticator(one.apiUrl)
    const { account } = clientOf(one, person)
    const credential = authenticator.create(await account.startPasskey.mutate({ current_password: password }))
    await account.addPasskey.mutate({ credential })

    const browser = newBrowser()
    const [atOne, atOther] = [callsOf(one, browser), callsOf(other, browser)]
    const { body: options } = await atOne('POST', '/sign-in/passkey/options', {})
    const cookies = new Map(browser.cookies('localhost'))
    const passkey = authenticator.get(options, { origin: other.apiUrl })
    expect(await atOther('POST', '/sign-in/passkey', { passkey })).toMatchObject({
      status: 200,
      body: { user: { email: person.email } },
    })

    // The same browser, as it was before: the challenge is used up at every node.
    for (const [name, value] of cookies) browser.cookies('localhost').set(name, value)
    authenticator.counter += 1
    const again = authenticator.get(options, { origin: one.apiUrl })
    expect(await atOne('POST', '/sign-in/passkey', { passkey: again })).toMatchObject({
      status: 401,
      body: { reason: 'sign_in_failed' },
    })
  })

  it('proves a session at either only while it is there', async () => {
    const person = await signIn(one, await newPerson(one))
    const authenticator = newAuthenticator(one.apiUrl)
    const { account } = clientOf(one, person)
    const there = clientOf(other, person)
    const credential = authenticator.create(await account.startPasskey.mutate({ current_password: password }))
    const { passkey, recovery_codes: codes } = await account.addPasskey.mutate({ credential })
    const [team] = (await there.teams.list.query({})).data
    await eventually(() => there.teams.requireSecondFactor.mutate({ team: team?.id ?? '', required: true }), {
      limitMs: 1_000,
    })
    await there.projects.list.query({})
    const [code = ''] = codes
    await account.removePasskey.mutate({ id: passkey.id, current_password: password, code })
    const refused = { data: { reason: 'second_factor_required' } }
    await eventually(() => expect(there.projects.list.query({})).rejects.toMatchObject(refused), {
      limitMs: 1_000,
    })
  })
})
