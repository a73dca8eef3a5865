import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asSecret } from '../../../src/lib/secret.ts'
import { hashToken } from '../../../src/platform/callers/token.ts'
import { deleteExpiredSessions } from '../../../src/platform/people/sessions.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { newBrowser } from '../../support/browser.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { callsOf, newPerson, type Person, password, signIn } from '../../support/person.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

const cookie = 'svc.session_token'

function tokenOf({ browser }: Person): string {
  return browser.cookies('localhost').get(cookie)?.split('.')[0] ?? ''
}

function rowOf(person: Person) {
  return store.db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenSha256, hashToken(asSecret(tokenOf(person)))))
}

/** The notifications to caches from now on. */
function listen(): Change[] {
  const heard: Change[] = []
  onTestFinished(store.changes.subscribe({ changed: (change) => heard.push(change), missed: () => {} }))
  return heard
}

async function isSignedIn({ call }: Person): Promise<boolean> {
  return (await call('GET', '/get-session')).body !== null
}

describe('a session', () => {
  it('is stored by the SHA-256 of its token, which does not open it', async () => {
    const person = await signIn(node, await newPerson(node))
    const [row] = await rowOf(person)
    expect(JSON.stringify(row)).not.toContain(tokenOf(person))
    for (const token of [row?.tokenSha256 ?? '', row?.id ?? '', `${tokenOf(person).slice(0, -1)}_`]) {
      const authorization = `Bearer ${token}`
      const { body } = await callsOf(node, newBrowser())('GET', '/get-session', undefined, { authorization })
      expect(body).toBeNull()
    }
  })

  it('is not opened by a tampered cookie', async () => {
    const person = await signIn(node, await newPerson(node))
    const other = await signIn(node, await newPerson(node))
    const jar = person.browser.cookies('localhost')
    const [, signature = ''] = (jar.get(cookie) ?? '').split('.')
    jar.set(cookie, `${tokenOf(other)}.${signature}`)
    expect(await isSignedIn(person)).toBe(false)
  })

  it('is renewed while it is used, and ends 14 days after its last use', async () => {
    const person = await signIn(node, await newPerson(node))
    const day = 86_400_000
    const set = (expiresMs: number) =>
      store.db
        .update(sessions)
        .set({ expiresMs })
        .where(eq(sessions.tokenSha256, hashToken(asSecret(tokenOf(person)))))
    await set(Date.now() + 12 * day)
    expect(await isSignedIn(person)).toBe(true)
    expect((await rowOf(person))[0]?.expiresMs).toBeGreaterThan(Date.now() + 13.9 * day)
    await set(Date.now() - 1)
    expect(await isSignedIn(person)).toBe(false)
  })

  it('that has expired is deleted by the clock for removals, not by other sessions’ requests', async () => {
    const person = await newPerson(node)
    const first = await signIn(node, person)
    const isFirst = eq(sessions.tokenSha256, hashToken(asSecret(tokenOf(first))))
    await store.db.update(sessions).set({ expiresMs: 1_000 }).where(isFirst)
    expect(await isSignedIn(first)).toBe(false)
    const second = await signIn(node, person)
    expect(await store.db.select().from(sessions).where(isFirst)).toHaveLength(1)
    await deleteExpiredSessions({ store: node.installation.store, nowMs: 2_000 })
    expect(await store.db.select().from(sessions).where(isFirst)).toEqual([])
    expect(await isSignedIn(second)).toBe(true)
  })
})

describe('signing out', () => {
  it('ends the session at once, and notifies caches', async () => {
    const person = await signIn(node, await newPerson(node))
    const stolen = new Map(person.browser.cookies('localhost'))
    const id = hashToken(asSecret(tokenOf(person)))
    const heard = listen()
    expect(await person.call('POST', '/sign-out')).toMatchObject({ status: 200, body: { success: true } })
    expect(heard).toContainEqual({ kind: 'session', id })
    expect(person.browser.cookies('localhost').has(cookie)).toBe(false)
    for (const [name, value] of stolen) person.browser.cookies('localhost').set(name, value)
    expect(await isSignedIn(person)).toBe(false)
  })

  it('keeps the user’s other sessions', async () => {
    const person = await newPerson(node)
    const [here, there] = [await signIn(node, person), await signIn(node, person)]
    await here.call('POST', '/sign-out')
    expect(await isSignedIn(there)).toBe(true)
  })

  it('succeeds for a user who is signed out already', async () => {
    expect((await callsOf(node, newBrowser())('POST', '/sign-out')).status).toBe(200)
  })
})

describe('the list of sessions', () => {
  it('has the user’s own, without tokens, and marks the current one', async () => {
    const person = await newPerson(node)
    const [here, there] = [await signIn(node, person), await signIn(node, person)]
    await signIn(node, await newPerson(node))
    const { body } = await here.call('GET', '/list-sessions')
    const mine = (await here.call('GET', '/get-session')).body.session
    expect(body).toHaveLength(2)
    expect(body.filter(({ current }: { current: boolean }) => current)).toEqual([{ ...mine, current: true }])
    for (const each of [here, there]) expect(JSON.stringify(body)).not.toContain(tokenOf(each))
  })

  it.each([
    ['GET', '/list-sessions', undefined],
    ['POST', '/revoke-session', { id: 'ses_1' }],
    ['POST', '/revoke-other-sessions', undefined],
    ['POST', '/change-password', { currentPassword: password, newPassword: 'another password' }],
  ])('401 for an anonymous caller: %s %s', async (method, path, body) => {
    const answer = await callsOf(node, newBrowser())(method, path, body)
    expect(answer).toMatchObject({ status: 401, body: { reason: 'unauthorized', message: 'Sign in first.' } })
  })
})

describe('ending another session', () => {
  it('works at once, and notifies caches', async () => {
    const person = await newPerson(node)
    const [here, there] = [await signIn(node, person), await signIn(node, person)]
    const { body } = await there.call('GET', '/get-session')
    const heard = listen()
    expect((await here.call('POST', '/revoke-session', { id: body.session.id })).status).toBe(200)
    expect(heard).toContainEqual({ kind: 'session', id: hashToken(asSecret(tokenOf(there))) })
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  })

  it('404 for another user’s session, which stays open', async () => {
    const [here, other] = [
      await signIn(node, await newPerson(node)),
      await signIn(node, await newPerson(node)),
    ]
    const { body } = await other.call('GET', '/get-session')
    const answer = await here.call('POST', '/revoke-session', { id: body.session.id })
    expect(answer).toMatchObject({ status: 404, body: { reason: 'session_not_found' } })
    expect(await isSignedIn(other)).toBe(true)
  })

  it.each(['', 'ses_1', 'ses_\u0000', `ses_${'0'.repeat(32)}`])('404 for an invalid id: %j', async (id) => {
    const here = await signIn(node, await newPerson(node))
    const answer = await here.call('POST', '/revoke-session', { id })
    expect(answer).toMatchObject({ status: 404, body: { reason: 'session_not_found' } })
  })

  it('ends all but the current one when all others are requested', async () => {
    const person = await newPerson(node)
    const all = [await signIn(node, person), await signIn(node, person), await signIn(node, person)]
    const stranger = await signIn(node, await newPerson(node))
    expect((await all[1]?.call('POST', '/revoke-other-sessions'))?.status).toBe(200)
    expect(await Promise.all(all.map(isSignedIn))).toEqual([false, true, false])
    expect(await isSignedIn(stranger)).toBe(true)
  })
})

describe('changing the password', () => {
  const newPassword = 'a new and better password'

  it('ends the other sessions, and replaces the current one', async () => {
    const person = await newPerson(node)
    const [here, there] = [await signIn(node, person), await signIn(node, person)]
    const [before, other] = [tokenOf(here), tokenOf(there)]
    const heard = listen()
    const { status } = await here.call('POST', '/change-password', { currentPassword: password, newPassword })
    expect(status).toBe(200)
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
    expect(tokenOf(here)).not.toBe(before)
    for (const token of [before, other]) {
      expect(heard).toContainEqual({ kind: 'session', id: hashToken(asSecret(token)) })
    }
    await expect(signIn(node, person)).rejects.toThrow('401')
    await signIn(node, { ...person, password: newPassword })
  })

  it.each([
    [{ currentPassword: 'not the password', newPassword }, 'currentPassword'],
    [{ currentPassword: password, newPassword: 'short' }, 'newPassword'],
    [{ currentPassword: password, newPassword, revokeOtherSessions: false }, 'revokeOtherSessions'],
  ])('400 for %j, and nothing changes', async (input, path) => {
    const person = await newPerson(node)
    const here = await signIn(node, person)
    const { status, body } = await here.call('POST', '/change-password', input)
    expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 400, path })
    await signIn(node, person)
  })
})
