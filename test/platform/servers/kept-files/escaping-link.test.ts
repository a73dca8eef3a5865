import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { findEscapingLink } from '../../../../src/platform/servers/kept-files/escaping-link.ts'

const escaping = (links: Record<string, string>) => atOnce(findEscapingLink(links))

describe('links stay inside', () => {
  it.each<[string, Record<string, string>]>([
    ['to a sibling', { 'a/b': 'c' }],
    ['up to the root', { 'a/b': '..' }],
    ['to their own directory', { 'a/b': '.' }],
    ['through one that leads up by as much as it is deep', { up: 'a/b', 'a/b': '..', 'c/d': '../up/x' }],
    ['in a circle', { a: 'b', b: 'c', c: 'a/../../..' }],
    ['to themselves', { a: 'a/../../..' }],
    ['behind one that is in a circle', { a: 'a', b: 'a/../../..' }],
    ['with a name of objects', { __proto__x: 'constructor', 'constructor/toString': '../valueOf' }],
    ['with repeated slashes', { 'a/b/c': '..//..///x/' }],
  ])('%s', (_, links) => {
    expect(escaping(links)).toBeUndefined()
  })
})

describe('the link that leads out is named', () => {
  it.each<[string, Record<string, string>, string]>([
    ['by its steps', { 'a/b': '../../x' }, 'a/b'],
    ['an absolute one', { a: '/etc/passwd' }, 'a'],
    ['the root of the machine', { a: '/' }, 'a'],
    ['up and back', { 'a/b': '../../root/a' }, 'a/b'],
    [
      'through a link to a directory, by whose place `..` counts',
      { 'deep/er/l': '../..', x: 'deep/er/l/..' },
      'x',
    ],
    ['behind many others', { 'a/l': '..', 'b/l': '../a/l', 'c/l': '../b/l', y: 'c/l/..' }, 'y'],
    ['through a link that leads out', { b: 'a/x', a: '../x' }, 'a'],
  ])('%s', (_, links, name) => {
    expect(escaping(links)).toBe(name)
  })

  it('where it is called __proto__', () => {
    expect(escaping(JSON.parse('{"__proto__":"../x"}'))).toBe('__proto__')
  })
})

it('takes as many steps as the links have, however they lead to one another', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => [`l${i}`, `l${i + 1}/y/y/y/y`])
  let turns = 0
  for (const _ of { [Symbol.iterator]: () => findEscapingLink(Object.fromEntries(chain)) }) turns += 1
  expect(turns).toBeLessThanOrEqual(20_000)
  const deep = `${'./'.repeat(500)}l1`
  const wide = Array.from({ length: 20_000 }, (_, i) => [`w${i}`, 'l0'])
  const long = Array.from({ length: 39 }, (_, i) => [`l${i}`, deep.replace('l1', `l${i + 1}`)])
  const started = performance.now()
  expect(escaping(Object.fromEntries([...wide, ...long, ['l39', '../x']]))).toBe('l39')
  // By following each anew, it would take a minute.
  expect(performance.now() - started).toBeLessThan(10_000)
})
