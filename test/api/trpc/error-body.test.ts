/** The errors of stores, as clients get them. */
import { expect, it } from 'vitest'
import { toAppError } from '../../../src/api/trpc/error-body.ts'

/** An error of a store, as a query's cause has it. */
const failed = (code: string) =>
  new Error('A query failed.', { cause: Object.assign(new Error(code), { code }) })

it.each([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['53100', 'disk_full'],
  ['53300', 'store_unavailable'],
  ['ECONNREFUSED', 'store_unavailable'],
  ['22012', 'internal_error'],
])('%s is %s', (code, reason) => {
  expect(toAppError(failed(code)).reason).toBe(reason)
})
