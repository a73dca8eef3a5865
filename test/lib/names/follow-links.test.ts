import { describe, expect, it } from 'vitest'
import { createFollow } from '../../../src/lib/names/follow-links.ts'

const links = new Map([
  ['to-file', 'a/file'],
  ['a/up', '../b/file'],
  ['folder', 'a'],
  ['twice', 'to-file'],
  ['a/here', './file'],
  ['absolute', '/a/file'],
  ['outside', '../a/file'],
  ['loop', 'loop'],
  ['ping', 'pong'],
  ['pong', 'ping'],
  ['deep/er/back', '../../to-file'],
])

describe('a path leads', () => {
  it.each([
    ['a/file', 'a/file'],
    ['to-file', 'a/file'],
    ['a/up', 'b/file'],
    ['folder/file', 'a/file'],
    ['folder/up', 'b/file'],
    // Of what the link leads to, not of the link.
    ['folder/../b/file', 'b/file'],
    ['twice', 'a/file'],
    ['./a//here', 'a/file'],
    ['deep/er/back', 'a/file'],
    ['', ''],
  ])('%s to %s', (path, target) => {
    expect(createFollow(links)(path)).toBe(target)
  })

  it.each(['absolute', 'outside', 'loop', 'ping', '../a/file', 'a/../../a', 'loop/file'])(
    '%s nowhere',
    (path) => {
      expect(createFollow(links)(path)).toBeUndefined()
    },
  )
})

it('over 40 links at most', () => {
  const chain = new Map(Array.from({ length: 50 }, (_, at) => [`l${at}`, `l${at + 1}`]))
  expect(createFollow(chain)('l10')).toBe('l50')
  expect(createFollow(chain)('l9')).toBeUndefined()
})

it('does not depend on which link is followed first', () => {
  const follow = createFollow(links)
  for (const path of [...links.keys(), ...[...links.keys()].reverse()])
    expect([path, follow(path)]).toEqual([path, createFollow(links)(path)])
})

it('takes as many steps as the targets have segments, however links lead over each other', () => {
  const noise = 'a/../'.repeat(200)
  const many = new Map(
    Array.from({ length: 20_000 }, (_, at) => [`l${at}`, `${noise}l${at - (at % 30 ? 1 : 0) || 'end'}`]),
  )
  const follow = createFollow(many)
  let looks = 0
  const get = many.get.bind(many)
  many.get = (path) => {
    looks += 1
    return get(path)
  }
  for (const path of many.keys()) follow(path)
  // Each of 201 segments is looked up once a link, and the path of the link itself.
  expect(looks).toBeLessThan(20_000 * 250)
  const deep = new Map([
    ['l', 'a/'.repeat(2_047)],
    ['m', 'a/'.repeat(100_000)],
  ])
  expect([createFollow(deep)('l'), createFollow(deep)('m')]).toEqual([undefined, undefined])
})
