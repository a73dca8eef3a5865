/** What the API has matched and read is what the part that signs people in gets, however it was spelled. */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../../src/api/server/auth/endpoints.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newPerson, signIn } from '../../../support/person.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(node.apiUrl + path, { method, headers, redirect: 'manual' })
  const body = (await answer.json().catch(() => undefined)) ?? {}
  // Both are drawn for each request.
  return { status: answer.status, body: { ...body, request_id: undefined, challenge: undefined } }
}

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`

describe('an endpoint of sign-in answers as at its plain path', () => {
  const spellings: [string, (path: string) => string][] = [
    ['a hyphen encoded', (path) => path.replaceAll('-', encoded)],
    ['a letter encoded', (path) => path.replace(/.$/, encoded)],
    ['a query that nobody takes', (path) => `${path}?disableRefresh=a&disableCookieCache=%00&a=1&a=2`],
  ]
  it.each(endpoints.flatMap(({ method, path }) => spellings.map((each) => [method, path, ...each] as const)))(
    '%s %s with %s',
    async (method, path, _what, spell) => {
      const plain = await send(method, path)
      expect(await send(method, spell(path))).toEqual(plain)
      expect(plain.status).toBeLessThan(500)
    },
  )
})

describe('a session’s cookie is read in one way by all of the API', () => {
  async function cookieOf() {
    const { browser } = await signIn(node, await newPerson(node))
    return browser.cookies('localhost').get('svc.session_token') ?? expect.unreachable('no cookie')
  }

  /** Whether it is somebody's, to the API and to sign-in. */
  async function isKnown(headers: Record<string, string>) {
    const [api, auth] = [
      await send('GET', '/trpc/account.get?input=%7B%7D', headers),
      await send('GET', '/auth/get-session', headers),
    ]
    return { api: api.status === 200, auth: 'user' in auth.body }
  }

  it.each<[string, boolean, (mine: string, other: string) => Record<string, string>]>([
    ['alone', true, (mine) => ({ cookie: `svc.session_token=${mine}` })],
    ['between others', true, (mine) => ({ cookie: `a=b;c; svc.session_token=${mine};d="e"` })],
    ['twice the same', true, (mine) => ({ cookie: `svc.session_token=${mine}; svc.session_token=${mine}` })],
    [
      'before another’s',
      false,
      (mine, other) => ({ cookie: `svc.session_token=${mine}; svc.session_token=${other}` }),
    ],
    ['before an empty one', false, (mine) => ({ cookie: `svc.session_token=${mine}; svc.session_token=` })],
    ['in quotes', false, (mine) => ({ cookie: `svc.session_token="${mine}"` })],
    ['with a space after its name', false, (mine) => ({ cookie: `svc.session_token =${mine}` })],
    ['with the prefix of https', false, (mine) => ({ cookie: `__Secure-svc.session_token=${mine}` })],
    [
      'beside an Authorization that is nobody’s',
      false,
      (mine) => ({ cookie: `svc.session_token=${mine}`, authorization: 'Bearer nobody.else' }),
    ],
  ])('%s: %s', async (_what, known, headersOf) => {
    const headers = headersOf(await cookieOf(), await cookieOf())
    expect(await isKnown(headers)).toEqual({ api: known, auth: known })
  })
})

describe('a path that is spelled otherwise', () => {
  it.each<[number, string, string]>([
    [405, 'POST', '/auth/get%2Dsession'],
    [405, 'DELETE', '/%76%31/projects'],
    [404, 'GET', '/%61uth/nothing'],
    [404, 'GET', '/%76%31/nothing'],
    [404, 'GET', '/v1%2Fprojects'],
    [200, 'GET', '/docs/r%65ference'],
  ])('%d to %s %s', async (status, method, path) => {
    expect((await send(method, path)).status).toBe(status)
  })
})
