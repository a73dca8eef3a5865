/** Tries of a person's password from many addresses. */
import { beforeAll, describe, expect, it } from 'vitest'
import { newBrowser } from '../../support/browser.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { nodeOfFile } from '../../support/node-of-file.ts'
import { callsOf, newPerson, password } from '../../support/person.ts'

const proxied = nodeOfFile(() => startTestNode({ SVC_ROLES: 'api', SVC_TRUSTED_PROXIES: '127.0.0.1' }))

let node: TestNode

beforeAll(async () => {
  node = await proxied()
  knowSecret('a password', 'not the password')
})

const trial = (email: string, from: string, typed = 'not the password') =>
  callsOf(node, newBrowser())(
    'POST',
    '/sign-in/email',
    { email, password: typed },
    { 'x-forwarded-for': from },
  )

const limited = { status: 429, body: { reason: 'rate_limited', retry_after_ms: expect.any(Number) } }

describe('tries of one email address', () => {
  it('are five a minute, from however many addresses, whether or not somebody has it', async () => {
    for (const email of [(await newPerson(node)).email, `${unique('nobody')}@example.com`]) {
      for (let i = 0; i < 5; i += 1) expect((await trial(email, `192.0.2.${i}`)).status).toBe(401)
      expect(await trial(email.toUpperCase(), '198.51.100.1', password)).toMatchObject(limited)
    }
  })

  it('leave the person in where it has a session, and its network alone', async () => {
    const { email } = await newPerson(node)
    expect((await trial(email, '2001:db8:1:2::3', password)).status).toBe(200)
    for (let i = 0; i < 4; i += 1) expect((await trial(email, `192.0.2.${i}`)).status).toBe(401)
    expect(await trial(email, '192.0.2.9', password)).toMatchObject(limited)
    expect((await trial(email, '2001:db8:1:2::77', password)).status).toBe(200)
    expect(await trial(email, '2001:db8:1:3::3', password)).toMatchObject(limited)
  })
})
