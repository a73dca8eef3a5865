/** Which changes turn a zone into the one in a file. */
import { describe, expect, it } from 'vitest'
import { differenceOf } from '../../../../src/platform/dns/zone-file/diff.ts'

type More = { ttl?: number; priority?: number; id?: string }

const record = (fqdn: string, value: string, { ttl = 300, priority = 10, id = '' }: More = {}) => ({
  id,
  fqdn,
  type: 'MX' as const,
  value,
  ttl,
  priority,
  strings: null,
  weight: null,
  port: null,
})

describe('the difference between two lists of records', () => {
  it('is empty if they are the same in another order', () => {
    const [one, two] = [record('a', 'x'), record('a', 'y')]
    expect(differenceOf([one, two], [two, one])).toEqual({
      added: [],
      removed: [],
      changed: [],
      unchanged: 2,
    })
    expect(differenceOf([], [])).toEqual({ added: [], removed: [], changed: [], unchanged: 0 })
  })

  it('is the added, the removed, and those with another TTL', () => {
    const present = [
      record('a', 'x', { id: '1' }),
      record('a', 'y', { id: '2' }),
      record('b', 'x', { id: '3' }),
    ]
    const wanted = [record('b', 'x'), record('a', 'x', { ttl: 60 }), record('c', 'x')]
    expect(differenceOf(present, wanted)).toEqual({
      added: [wanted[2]],
      removed: [present[1]],
      changed: [{ record: present[0], ttl: 60 }],
      unchanged: 1,
    })
  })

  it('treats another priority as another record', () => {
    const [present, wanted] = [record('a', 'x'), record('a', 'x', { priority: 20 })]
    expect(differenceOf([present], [wanted])).toEqual({
      added: [wanted],
      removed: [present],
      changed: [],
      unchanged: 0,
    })
  })
})
