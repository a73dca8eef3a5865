import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { explainError } from '../../../src/lib/log/logger.ts'
import { redactPath, redactSecrets } from '../../../src/lib/log/redact-secrets.ts'
import { newToken } from '../../../src/platform/auth/token.ts'
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
