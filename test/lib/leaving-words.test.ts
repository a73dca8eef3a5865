import { expect, it } from 'vitest'
import { leavingWords } from '../../src/lib/leaving-words.ts'
import { leavingSchema } from '../../src/platform/auth/teams/output.ts'

it('has words for all that ends with a member', () => {
  expect(leavingWords.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(leavingSchema.shape).toSorted())
})
