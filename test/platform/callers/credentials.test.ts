import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../../src/platform/callers/token.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let token: string
let stranger: Api

beforeAll(async () => {
  node = await sharedNode()
  token = (await newTeam(node)).ownerKey
  stranger = apiOf(node)
})

function send(authorization: string) {
  return stranger('GET', '/v1/projects', undefined, { authorization })
}

const flipCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

describe('401 unauthorized, with the same message, for', () => {
  it.each<[string, () => string | undefined]>([
    ['no Authorization header', () => undefined],
    ['an empty one', () => ''],
    ['no token behind the scheme', () => 'Bearer'],
    ['a token without a scheme', () => token],
    ['another scheme', () => `Basic ${Buffer.from(`${token}:`).toString('base64')}`],
    ['a scheme that only begins with Bearer', () => `Bearers ${token}`],
    ['two tokens', () => `Bearer ${token} ${token}`],
    ['two tokens with a comma', () => `Bearer ${token},Bearer ${token}`],
    ['a key cut off', () => `Bearer ${token.slice(0, -1)}`],
    ['a key with extra characters', () => `Bearer ${token}0`],
    ['a key of 10 kB', () => `Bearer svc_${'a'.repeat(10_240)}`],
    ['a key with an encoded NUL', () => `Bearer ${token}%00`],
    ['another installation’s key', () => 'Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz'],
    ['a JWT', () => `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['a well-formed unknown key', () => `Bearer ${newToken()}`],
  ])('%s', async (_, headerOf) => {
    const authorization = headerOf()
    const headers = authorization === undefined ? {} : { authorization }
    const { status, headers: answered, body } = await stranger('GET', '/v1/projects', undefined, headers)
    expect(status).toBe(401)
    expect(answered.get('www-authenticate')).toBe('Bearer')
    expect(body).toEqual({
      code: 'UNAUTHORIZED',
      reason: 'unauthorized',
      message: 'Send a valid API key, or a token minted with one, as "Authorization: Bearer …".',
      request_id: answered.get('x-request-id'),
    })
  })
})

describe('401 token_malformed, to distinguish a mistyped key from a revoked one, for', () => {
  it.each<[string, () => string]>([
    ['one wrong character', () => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')],
    ['changed letter case', () => `svc_${flipCase(token.slice(4))}`],
    ['two swapped characters', () => `svc_${[...token.slice(4)].reverse().join('')}`],
  ])('%s', async (_, mistyped) => {
    const { status, headers, body } = await send(`Bearer ${mistyped()}`)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'token_malformed' })
  })
})

it("accepts the scheme's name in any case", async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    expect((await send(`${scheme} ${token}`)).status).toBe(200)
  }
})

it('refuses a NUL byte in the header as malformed HTTP, without an internal error', async () => {
  const { hostname, port } = new URL(node.apiUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /v1/projects HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\0\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
})

it('refuses a caller before it checks the path below /v1, the method or the body', async () => {
  expect((await stranger('POST', '/v1/apikeys', { no: 'such field' })).status).toBe(401)
  expect((await stranger('DELETE', '/v1/projects/web')).status).toBe(401)
})

it('never logs a token', async () => {
  const flipped = flipCase(token)
  await send(`Bearer ${token}`)
  await send(`Bearer ${flipped}`)
  const log = node.logged.join('\n')
  expect(log).toContain('/v1/projects')
  expect(log).not.toContain(token.slice(10))
  expect(log).not.toContain(flipped.slice(10))
})
