import { expect, it } from 'vitest'
import { filesOf, versionIn } from './site-files.ts'

const [index] = filesOf('a-one@17')
const text = index?.bytes.toString() ?? ''

it('a page names its version', () => {
  expect(versionIn(text)).toBe('a-one@17')
})

it('damaged, cut and foreign bytes are no page', () => {
  expect(versionIn(text.replace(/\w$/m, '!'))).toMatch(/^\?/)
  expect(versionIn(text.slice(0, -1))).toMatch(/^\?/)
  expect(versionIn(text.replace('a-one@17', 'b-one@17'))).toMatch(/^\?/)
  expect(versionIn('')).toBe('?')
})

it('one file is the same in all sites', () => {
  const digest = (version: string) => filesOf(version).find(({ path }) => path === 'shared.css')?.sha256
  expect(digest('a-one@1')).toBe(digest('b-two@9'))
})
