/** A start without its PostgreSQL. */
import { expect, it } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { explainUnopened } from '../../../src/stores/db/explain-unopened.ts'

const url = 'postgres://svc:p4ss@db.example:5433/svc'

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

it.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5433', /can't be reached: connect ECONNREFUSED .*Start it/],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db.example', /can't be reached: .*Start it/],
  ['28P01', 'password authentication failed for user "svc"', /refuses: password .*Correct the setting/],
  ['3D000', 'database "svc" does not exist', /refuses: database "svc" .*create it/],
])('%s names the server and the setting, and says what to do', (code, message, text) => {
  const error = explainUnopened(failure(code, message), url)
  if (!(error instanceof SettingsError)) throw new Error('It is no error of settings.')
  expect(error.message).toMatch(text)
  expect(error.message).toContain('PostgreSQL at db.example:5433 (DATABASE_URL)')
  expect(error.message).not.toContain('p4ss')
})

it('any other error stays what it is', () => {
  const error = failure('42P01', 'relation "x" does not exist')
  expect(explainUnopened(error, url)).toBe(error)
})
