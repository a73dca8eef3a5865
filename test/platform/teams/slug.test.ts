/** No team has a slug under which its pages would be the API's. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { slugsFor } from '../../../src/platform/people/team-slug.ts'
import { checkSlug } from '../../../src/platform/teams/slug.ts'

const [, known = ''] =
  /const ofNode = \[([^\]]+)\]/.exec(readFileSync('dashboard/next.config.ts', 'utf8')) ?? []
const segments = [...known.matchAll(/'\/([\w-]+)/g)].map(([, segment = '']) => segment)

it('the development server of the dashboard passes on paths of the API', () => {
  expect(segments).toEqual(expect.arrayContaining(['v1', 'trpc', 'auth', 'uploads', 'docs', 'readyz']))
})

it.each([...new Set([...segments, 'healthz', 'new', '404', 'index'])])('%s is no slug', (slug) => {
  expect(() => checkSlug(slug)).toThrow(`${slug} is reserved; choose another slug`)
  const person = { email: `${slug}@example.com`, name: slug }
  const { value } = slugsFor(person).next()
  expect(value).not.toBe(slug)
  expect(value).toMatch(new RegExp(`^${slug}-`))
})

it('others are', () => {
  for (const slug of ['acme', 'v2', 'newer']) checkSlug(slug)
  expect(slugsFor({ email: 'acme@example.com', name: 'Ada' }).next().value).toBe('acme')
})
