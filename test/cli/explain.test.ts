/** What an error is to the user: a reason, and nothing of a query's values. */
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/cli/explain.ts'

/** As the drivers throw it: with the query, and below the one of Drizzle. */
function failedQuery(code: string | undefined, message: string) {
  const cause = Object.assign(new Error(message), {
    query: 'insert into a values ($1)',
    ...(code && { code }),
  })
  return new DrizzleQueryError('insert into a values ($1)', ['secret'], cause)
}

describe('a query that failed', () => {
  it.each([
    ['53100', 'could not extend file "base/5/2674": No space left on device'],
    ['58030', 'could not write to file "base/pgsql_tmp/1": Input/output error'],
    ['57P01', 'terminating connection due to administrator command'],
    ['08006', 'the connection was lost'],
  ])('because of the server is reported with its message: %s', (code, message) => {
    expect(explain(failedQuery(code, message)).body.message).toBe(
      `The database failed: ${message} (SQLSTATE ${code}).`,
    )
  })

  it.each([
    ['22P02', 'invalid input syntax for type integer: "secret"'],
    ['23505', 'duplicate key value violates unique constraint: secret'],
    ['P0001', 'secret'],
    ['153100', 'secret'],
    ['531000', 'secret'],
  ])('because of its values is reported without them: %s', (code, message) => {
    expect(explain(failedQuery(code, message)).body.message).toBe(`A query failed (SQLSTATE ${code}).`)
  })

  it('without a code is reported as a failed query', () => {
    expect(explain(failedQuery(undefined, 'secret')).body.message).toBe('A query failed.')
  })
})

it('an error without a message is reported by its code', () => {
  expect(explain(Object.assign(new Error(), { code: 'ECONNREFUSED' })).body.message).toBe('ECONNREFUSED')
})
