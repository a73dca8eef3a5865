/** What is chosen on a page of the dashboard while its URL is about to change. */
import { beforeEach, expect, it } from 'vitest'
import { createPendingSearch, type PendingSearch } from '../../dashboard/src/lib/pending-search.ts'

let pending: PendingSearch

beforeEach(() => {
  pending = createPendingSearch()
})

const path = '/acme/web/logs'
const change = (search: string, changes: Record<string, string>) => pending.change({ path, search }, changes)

it('a parameter is set, and removed', () => {
  expect(change('', { kind: 'build' })).toBe('kind=build')
  pending.arrived(path, 'kind=build')
  expect(change('kind=build', { kind: '', q: 'a b' })).toBe('q=a+b')
})

it('two choices in a moment both count, whichever of them has arrived', () => {
  change('', { kind: 'request' })
  expect(change('', { status: '404' })).toBe('kind=request&status=404')
  pending.arrived(path, 'kind=request')
  expect(change('kind=request', { host: 'a' })).toBe('kind=request&status=404&host=a')
})

it('after both have arrived, going back is no choice that is about to come', () => {
  change('', { kind: 'request' })
  change('', { status: '404' })
  pending.arrived(path, 'kind=request&status=404')
  pending.arrived(path, '')
  expect(change('', { level: 'warn' })).toBe('level=warn')
})

it('a URL that somebody else has chosen is where the next change begins', () => {
  change('', { kind: 'request' })
  expect(change('q=other', { level: 'warn' })).toBe('q=other&level=warn')
})

it('what never came, since somebody went elsewhere, is forgotten', () => {
  change('', { kind: 'request' })
  pending.arrived(path, 'q=other')
  pending.arrived(path, '')
  expect(change('', { level: 'warn' })).toBe('level=warn')
})

it('another page has nothing of the one before', () => {
  change('', { kind: 'request' })
  pending.arrived('/acme/docs/logs', '')
  expect(pending.change({ path: '/acme/docs/logs', search: '' }, { q: 'x' })).toBe('q=x')
  expect(change('', { q: 'y' })).toBe('q=y')
})
