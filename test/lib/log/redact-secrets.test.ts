import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { explainError } from '../../../src/lib/log/logger.ts'
import { redactPath, redactSecrets } from '../../../src/lib/log/redact-secrets.ts'
import { newToken } from '../../../src/platform/callers/token.ts'
import { newHookSecret } from '../../../src/platform/hooks/address.ts'
import { newSecret } from '../../../src/platform/webhooks/secret.ts'
import { createTestLog } from '../../support/kept-logs.ts'

const random = () => randomBytes(32).toString('base64url')

const secrets: [string, string][] = [
  ['an API key', newToken()],
  ['half of one', newToken().slice(0, 30)],
  ['the secret of a deploy hook', newHookSecret()],
  ['a webhook secret', newSecret()],
  ['a JWT', `eyJ${random()}.eyJ${random()}.${random()}`],
]

it.each(secrets)('%s is removed from a text and from a path', (_, secret) => {
  expect(redactSecrets(`Refused: ${secret} is no name.`)).toMatch(/^Refused: \w+… is no name\.$/)
  expect(redactPath(`/v1/projects/${secret}`)).not.toContain(secret.slice(10))
})

const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase()
const escaped = (text: string) => [...text].map((each) => `%${hex(each)}`).join('')

/** Each is how a client may write a secret, or a part of it, in a path. */
const spellings: [string, (secret: string) => string][] = [
  ['with its first character encoded', (secret) => `%${hex(secret.slice(0, 1))}${secret.slice(1)}`],
  ['with its underscore encoded', (secret) => secret.replace('_', '%5F').replace('.', '%2E')],
  [
    'with a character of its middle encoded',
    (secret) => `${secret.slice(0, 20)}${escaped(secret.slice(20, 21))}${secret.slice(21)}`,
  ],
  ['encoded as a whole', escaped],
  ['encoded twice', (secret) => escaped(secret).replaceAll('%', '%25')],
  [
    'encoded three times, in small letters',
    (secret) => escaped(secret).toLowerCase().replaceAll('%', '%2525'),
  ],
  ['encoded digit by digit', (secret) => escaped(escaped(secret))],
  ['before bytes that are no UTF-8', (secret) => `%ff%fe${escaped(secret)}%ff`],
  ['after a query that is encoded', (secret) => `x%3Fa=1%26key%3D${escaped(secret)}%26b`],
]

describe.each(spellings)('%s', (_how, spell) => {
  it.each(secrets)('%s is removed from a path and from a text', (_, secret) => {
    const written = spell(secret)
    for (const text of [redactPath(`/hooks/deploy/${written}`), redactSecrets(`GET /x/${written} failed`)]) {
      const decoded = decodedOften(text)
      expect(decoded).toContain('…')
      expect(decoded).not.toContain(secret.slice(10, 30))
      expect(decoded).not.toContain(secret.slice(-10))
    }
  })
})

/** As whoever reads the log may. */
function decodedOften(text: string): string {
  let decoded = text
  for (let layer = 0; layer < 12; layer += 1) {
    decoded = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, each) =>
      String.fromCharCode(Number.parseInt(each, 16)),
    )
  }
  return decoded
}

it.each([
  ['/x%3Fx-svc-share%3Dabc', '/x%3Fx-svc-share=…'],
  ['/x;token%253Dabc', '/x;token=…'],
  ['/auth/link%3ftoken=ab%26cd', '/auth/link%3ftoken=…'],
  ['/%62earer%20abcdef', '/bearer%20…'],
  ['/@postgres://svc:p%40s%2Fs@db/svc', '/@postgres://svc:…@db/svc'],
])('the path %s becomes %s', (path, redacted) => expect(redactPath(path)).toBe(redacted))

it.each(['/caf%C3%A9%20au%20lait', '/100%', '/a%2Fb%252Fc', '/%41%42', '/a=b', '/%'])(
  'the path %s stays',
  (path) => expect(redactPath(path)).toBe(path),
)

it('more layers of encoding than anybody writes are cut off', () => {
  const nested = `/a/${escaped('svch_Dd').replaceAll('%', `%${'25'.repeat(20)}`)}${'x'.repeat(30)}`
  expect(redactPath(nested)).toBe('/a/svch_…')
  // The last digit of each layer is encoded itself.
  const deep = `%7${'%3'.repeat(10)}3`
  expect(redactPath(`/a/${deep}vch_${'x'.repeat(30)}/b`)).toBe('/a/…')
  const large = `/${'a'.repeat(16_000)}%41`
  // Were it quadratic, each would take seconds.
  for (let round = 0; round < 20; round += 1) expect(redactPath(large)).toBe(large)
})

it.each([
  ['Bearer abc.def', 'Bearer …'],
  ['connect to postgres://svc:p4ss@db:5432/svc', 'connect to postgres://svc:…@db:5432/svc'],
  ['redis://:p4ss@db', 'redis://:…@db'],
  ['GET https://a.example/?x-svc-bypass=abc&page=2', 'GET https://a.example/?x-svc-bypass=…&page=2'],
  ['/auth/link?token=abc', '/auth/link?token=…'],
  ['?size=1&signature=abc&team=x', '?size=1&signature=…&team=x'],
])('%s becomes %s', (text, redacted) => expect(redactSecrets(text)).toBe(redacted))

it.each([
  'duplicate key value violates unique constraint "svc_teams"',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Port 3000 of 127.0.0.1 is taken.',
])('%s stays', (text) => expect(redactSecrets(text)).toBe(text))

it('an error’s message, stack and causes are logged without secrets and query parameters', () => {
  const [key, password, value] = [newToken(), random(), random()]
  const cause = new Error(`postgres://svc:${password}@db refused`)
  const query = Object.assign(new Error(`Failed query: select $1\nparams: ${value}`), {
    query: 'select $1',
    params: [value],
    cause,
  })
  const error = new Error(`${key} is wrong`, { cause: query })
  const logged: string[] = []
  createTestLog(logged).error({ err: error }, 'It failed.')
  for (const text of [logged.join(''), explainError(error)]) {
    for (const secret of [key, password, value]) expect(text).not.toContain(secret)
    expect(text).toContain('svc_… is wrong')
    expect(text).toContain('select $1')
    expect(text).toContain('refused')
  }
})
