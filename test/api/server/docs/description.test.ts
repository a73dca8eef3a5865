/** Descriptions of pages for search engines. */
import { expect, it } from 'vitest'
import { descriptionOf } from '../../../../src/api/server/docs/description.ts'

it('is the first paragraph, without markup', () => {
  const text = '# Title\n\n```sh\nrun\n```\n\nA [link](../x.md) and `code`\nin **two** lines.\n\nMore.\n'
  expect(descriptionOf(text)).toBe('A link and code in two lines.')
  expect(descriptionOf('# Title\n')).toBe(undefined)
})

it('is cut between words', () => {
  const found = descriptionOf(`${'word '.repeat(60)}\n`) ?? ''
  expect(found.length).toBeLessThanOrEqual(160)
  expect(found).toMatch(/ word…$/)
})
