/** What a node prints when it is ready. */
import { expect, it } from 'vitest'
import { greetingOf } from '../../../src/operate/node/greeting.ts'

const link = 'http://localhost:3000/auth/link?token=abc'
const node = {
  apiUrl: 'http://localhost:3000',
  sitesUrl: 'http://localhost:8080',
  internalPort: 9000,
  dnsPort: undefined,
  firstKey: undefined,
  firstLink: undefined,
}
const first = { ...node, firstKey: { token: 'svc_key', team: 'personal' }, firstLink: link }
const all = { roles: ['api', 'edge', 'worker', 'dns'], isBuilding: false, isTerminal: false } as const

it('after the first start the link is the first line, and no address is followed by punctuation', () => {
  const text = greetingOf(first, { ...all, isBuilding: true })
  expect(text.trimStart().split('\n', 1)).toEqual([link])
  for (const [address] of text.matchAll(/https?:\/\/\S+/g)) expect(address).toMatch(/[\w/]$/)
  expect(text).toContain('dist/.dashboard/build.log\n')
  expect(text.split('\n').at(-1)).toBe(
    'svc is ready. API: http://localhost:3000 · sites: http://<name>.localhost:8080',
  )
})

it('at a terminal the key is the last line of the first start', () => {
  const text = greetingOf(first, { ...all, isBuilding: true, isTerminal: true })
  expect(text.trimEnd().split('\n').at(-1)).toBe('svc_key')
  expect(text).toContain('svc is ready.')
  expect(greetingOf(node, { ...all, isTerminal: true })).toBe(greetingOf(node, all))
})

it('after a later start there is one line, and one of the dashboard while it is built', () => {
  expect(greetingOf(node, all).split('\n')).toHaveLength(1)
  expect(greetingOf(node, { ...all, isBuilding: true })).toContain('The dashboard is being built')
})

it.each([
  [['edge'], 'svc is ready. sites: http://<name>.localhost:8080'],
  [['worker'], 'svc is ready. Internal port: 9000'],
] as const)('a node with the roles %j names no address of an API', (roles, text) => {
  expect(greetingOf(node, { ...all, roles, isBuilding: true })).toBe(text)
})
