/** JWTs as attackers forge them, over HTTP: all get the same 401. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertKey } from '../../../../src/platform/callers/keys.ts'
import { type Api, apiOf } from '../../../support/api.ts'
import { claimsOf, enforcingNode, jwtSecret, mint } from '../../../support/enforcing-node.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { joinNewTeam, newSession } from '../../../support/session.ts'
import { addMember, newTeam } from '../../../support/team.ts'

let node: TestNode
let genuine: string
let claims: Record<string, unknown>
let [head, payload, signature] = ['', '', '']
let keyElsewhere: string
let keyOfColleague: unknown
let sessionOfColleague: string
let rs256: string
let ofNobody: Awaited<ReturnType<typeof refusal>>

beforeAll(async () => {
  node = await enforcingNode()
  const team = await newTeam(node)
  genuine = (await mint(node, team.ownerKey)).token
  claims = claimsOf(genuine)
  ;[head = '', payload = '', signature = ''] = genuine.split('.')
  const elsewhere = await joinNewTeam(node, team.ownerId)
  const key = {
    teamId: elsewhere.id,
    userId: team.ownerId,
    name: 'elsewhere',
    role: 'owner',
    createdMs: 1,
  } as const
  keyElsewhere = (await insertKey(node.installation.store.db, key)).id
  const colleague = await addMember(node, team)
  keyOfColleague = claimsOf((await mint(node, colleague.key)).token).key
  sessionOfColleague = (await newSession(node, colleague.userId)).id
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  rs256 = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'svc+jwt' }).sign(privateKey)
  ofNobody = await refusal(apiOf(node))
})

const nowS = Math.floor(Date.now() / 1_000)

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT with the node's own secret: only its claims are wrong. */
function signed(changes: Record<string, unknown>, header: object = {}, secret = jwtSecret, hash = 'sha256') {
  const fields = encode({ alg: 'HS256', typ: 'svc+jwt', ...header })
  const signingInput = `${fields}.${encode({ ...claims, ...changes })}`
  return `${signingInput}.${createHmac(hash, secret).update(signingInput).digest('base64url')}`
}

/** The same from the payload's text, for values that JSON.stringify cannot write. */
function signedText(text: string) {
  const signingInput = `${head}.${Buffer.from(text).toString('base64url')}`
  return `${signingInput}.${createHmac('sha256', jwtSecret).update(signingInput).digest('base64url')}`
}

async function refusal(api: Api) {
  const { status, headers, body } = await api('GET', '/v1/projects')
  const { request_id: _, ...signingInput } = body
  return { status, challenge: headers.get('www-authenticate'), signingInput }
}

it('accepts a genuine one', async () => {
  expect((await apiOf(node, genuine)('GET', '/v1/projects')).status).toBe(200)
  expect((await apiOf(node, signed({}))('GET', '/v1/projects')).status).toBe(200)
})

describe('401 unauthorized, with the same body as without a token, for', () => {
  it.each<[string, () => string]>([
    ['alg none', () => `${encode({ alg: 'none', typ: 'svc+jwt' })}.${payload}.`],
    ['alg none with a signature', () => `${encode({ alg: 'none', typ: 'svc+jwt' })}.${payload}.${signature}`],
    ['alg nOnE', () => `${encode({ alg: 'nOnE', typ: 'svc+jwt' })}.${payload}.${signature}`],
    ['alg HS512', () => signed({}, { alg: 'HS512' }, jwtSecret, 'sha512')],
    ['alg HS512 over a signature of HS256', () => signed({}, { alg: 'HS512' })],
    ['alg RS256', () => rs256],
    ['alg RS256 over a signature of HS256', () => signed({}, { alg: 'RS256' })],
    ['alg as a list', () => signed({}, { alg: ['HS256'] })],
    ['no alg', () => signed({}, { alg: undefined })],
    ['an empty signature', () => `${head}.${payload}.`],
    ['no signature', () => `${head}.${payload}`],
    ['a truncated signature', () => genuine.slice(0, -1)],
    ['a truncated payload', () => `${head}.${payload.slice(0, -2)}.${signature}`],
    ["another JWT's signature", () => `${head}.${payload}.${signed({ jti: 'x' }).split('.')[2]}`],
    ['a raised role', () => `${head}.${encode({ ...claims, tenant: 'team_x' })}.${signature}`],
    ['another secret', () => signed({}, {}, 'x'.repeat(32))],
    ['an empty secret', () => signed({}, {}, '')],
    ['exp missing', () => signed({ exp: undefined })],
    ['exp null', () => signed({ exp: null })],
    ['exp as a string', () => signed({ exp: String(claims.exp) })],
    ['exp 1e308', () => signedText(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e308'))],
    ['exp 1e400', () => signedText(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400'))],
    ['exp with a fraction', () => signed({ exp: nowS + 60.5 })],
    ['exp negative', () => signed({ exp: -1 })],
    ['exp just passed', () => signed({ exp: nowS - 1 })],
    ['exp in 9 hours', () => signed({ exp: nowS + 9 * 3_600 })],
    ['iat missing', () => signed({ iat: undefined })],
    ['iat in the future', () => signed({ iat: nowS + 3_600, exp: nowS + 7_200 })],
    ['iat 9 hours ago', () => signed({ iat: nowS - 9 * 3_600, exp: nowS + 60 })],
    ['nbf in the future', () => signed({ nbf: nowS + 3_600 })],
    ['nbf as a string', () => signed({ nbf: 'now' })],
    ['another iss', () => signed({ iss: 'other' })],
    ['no iss', () => signed({ iss: undefined })],
    ['another aud', () => signed({ aud: 'other' })],
    ['no aud', () => signed({ aud: undefined })],
    ['another typ', () => signed({}, { typ: 'JWT' })],
    ['no typ', () => signed({}, { typ: undefined })],
    ['an unknown critical header', () => signed({}, { crit: ['x'], x: 1 })],
    ['an unencoded payload', () => signed({}, { crit: ['b64'], b64: false })],
    ['no jti', () => signed({ jti: undefined })],
    ['another role', () => signed({ role: 'admin' })],
    ['neither key nor session', () => signed({ key: undefined })],
    ['both', () => signed({ sid: 'session' })],
    ['an unknown key', () => signed({ key: 'key_1' })],
    ["the same user's key of another team", () => signed({ key: keyElsewhere })],
    ["a colleague's key", () => signed({ key: keyOfColleague })],
    ["a colleague's session", () => signed({ key: undefined, sid: sessionOfColleague })],
    ['another user', () => signed({ sub: 'usr_1' })],
    ['another team', () => signed({ tenant: 'team_1' })],
    ['a number as user', () => signed({ sub: 1 })],
    ['a payload that is a list', () => signedText('[]')],
    ['a payload that is not JSON', () => signedText('{')],
    ['a payload of 10 kB', () => signed({ more: 'x'.repeat(10_240) })],
    ['a header that is not JSON', () => `e30x.${payload}.${signature}`],
  ])('%s', async (_, token) => {
    expect(await refusal(apiOf(node, token()))).toEqual(ofNobody)
    expect(ofNobody).toMatchObject({
      status: 401,
      challenge: 'Bearer',
      signingInput: { reason: 'unauthorized' },
    })
  })

  it('a genuine one, without a configured secret', async () => {
    expect(await refusal(apiOf(await sharedNode(), genuine))).toEqual(ofNobody)
  })
})

it('is the same by RPC', async () => {
  const response = await fetch(new URL('/trpc/projects.list?input={}', node.apiUrl), {
    headers: { authorization: `Bearer ${signed({ iss: 'other' })}` },
  })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect(await response.json()).toMatchObject({ error: { data: { reason: 'unauthorized' } } })
})

it('never logs a JWT, only its id', async () => {
  await apiOf(node, genuine)('GET', '/v1/projects')
  await apiOf(node, signed({ iss: 'other' }))('GET', '/v1/projects')
  const log = node.logged.join('\n')
  expect(log).toContain(`"jti":"${claims.jti}"`)
  expect(log).toContain(`"key":"${claims.key}"`)
  for (const part of [payload, signature]) expect(log).not.toContain(part)
})
