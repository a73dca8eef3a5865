import { expect, it } from 'vitest'
import { leavingWords, stayingWords } from '../../src/lib/leaving-words.ts'
import { leavingSchema } from '../../src/platform/teams/team-output.ts'

it('has words for all that ends with a member, and for what goes on', () => {
  const kinds = [...leavingWords, ...stayingWords].map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(Object.keys(leavingSchema.shape).toSorted())
})
