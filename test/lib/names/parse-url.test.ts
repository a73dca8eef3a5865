import { expect, it } from 'vitest'
import { parseUrl } from '../../../src/lib/names/parse-url.ts'
import { repositoryPath } from '../../../src/lib/names/repository-path.ts'

it('is the URL that a text is', () => {
  expect(parseUrl('https://EXAMPLE.com/a?b#c')?.href).toBe('https://example.com/a?b#c')
  expect(parseUrl('example.com')).toBeUndefined()
})

it('has a bound, for a long host would take a very long time', () => {
  const path = 'a'.repeat(8_000)
  expect(parseUrl(`https://example.com/${path}`)?.pathname).toBe(`/${path}`)
  expect(parseUrl(`https://example.com/${path.repeat(2)}`)).toBeUndefined()
  expect(parseUrl(`https://${'\u0301\u0316'.repeat(1_000_000)}.com/`)).toBeUndefined()
})

it.each([
  ['https://example.com/acme/web', '/acme/web'],
  ['https://example.com/acme/web.git//', '/acme/web'],
  ['https://example.com///', ''],
  [`https://example.com/${'/'.repeat(8_000)}x`, `/${'/'.repeat(8_000)}x`],
])('the path of the repository at %s', (url, path) => {
  expect(repositoryPath(new URL(url))).toBe(path)
})
