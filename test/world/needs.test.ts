/** What a run says about programs that are missing. */
import { expect, it } from 'vitest'
import { describeMissing, isInstalled } from './needs.ts'

it('a program that is missing is named with its package, and one that is installed is not', () => {
  const sentence = describeMissing('postgres://').find((each) => each.includes('/usr/sbin/nginx'))
  expect(sentence === undefined).toBe(isInstalled('nginx'))
  if (sentence) expect(sentence).toContain('nginx-light')
})

it('a missing PostgreSQL is named', () => {
  expect(describeMissing(undefined).at(-1)).toContain('PostgreSQL')
})
