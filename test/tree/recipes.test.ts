/** The recipes of CONTRIBUTING.md name files that exist, and for `note` those that have it. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('CONTRIBUTING.md', 'utf8')
const recipes = text
  .slice(text.indexOf('## Recipes'), text.indexOf('## More'))
  .split(/\n\n(?=\*\*)/)
  .slice(1)

const filesOf = (recipe: string) =>
  [...recipe.matchAll(/`((?:src|test|dashboard|bench)\/[^`]+)`/g)].map(([, file = '']) => file)

it('there are five, each with files that exist', () => {
  expect(recipes).toHaveLength(5)
  for (const recipe of recipes) {
    const files = filesOf(recipe)
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  }
})

it('a setting of a project: each file of the recipe has the note, and two of them are sources', () => {
  const files = filesOf(recipes[0] ?? '')
  expect(files.filter((file) => !/\bnote\b/.test(readFileSync(file, 'utf8')))).toEqual([])
  expect(files.filter((file) => file.startsWith('src/'))).toHaveLength(2)
})
