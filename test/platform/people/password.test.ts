import { expect, it } from 'vitest'
import { asSecret } from '../../../src/lib/secret.ts'
import { hashPassword, verifyPassword } from '../../../src/platform/people/password.ts'

it('a hash verifies one password only, and is never the same twice', async () => {
  const [first, second] = await Promise.all([
    hashPassword(asSecret('correct horse')),
    hashPassword(asSecret('correct horse')),
  ])
  expect(first).not.toBe(second)
  expect(await verifyPassword({ hash: first, password: 'correct horse' })).toBe(true)
  expect(await verifyPassword({ hash: first, password: 'correct horsf' })).toBe(false)
})

it('limits how many passwords are hashed at a time and how many wait', async () => {
  const guesses = Array.from({ length: 40 }, () => hashPassword(asSecret('a guess')))
  const results = await Promise.allSettled(guesses)
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(8)
  for (const reason of refused) expect(reason).toMatchObject({ reason: 'sign_in_unavailable' })
  expect(await hashPassword(asSecret('correct horse'))).toContain(':')
})
