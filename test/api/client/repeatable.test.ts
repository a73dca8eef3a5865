/** Which calls a client may repeat, by what their procedures say. */
import { expect, it } from 'vitest'
import { repeatableAs } from '../../../src/api/client/repeatable.ts'

it.each([
  ['a query', 'query', 'projects.get', 'as-is'],
  ['a PUT', 'mutation', 'projects.put', 'as-is'],
  ['a DELETE', 'mutation', 'deployments.delete', 'as-is'],
  ['a POST', 'mutation', 'deployments.create', 'with-key'],
  ['a POST that only mints another token', 'mutation', 'tokens.mint', 'as-is'],
  ['a PUT whose first response alone has the key of the new team', 'mutation', 'teams.put', undefined],
  ['a mutation that is no operation of REST', 'mutation', 'links.create', undefined],
  ['a stream', 'subscription', 'events.live', undefined],
])('%s', (_what, type, path, expected) => {
  expect(repeatableAs({ type, path })).toBe(expected)
})
