/** Addresses that stand for names. */
import { expect, it } from 'vitest'
import {
  createSyntheticNames,
  isSynthetic,
} from '../../../../src/platform/servers/way-out/synthetic-names.ts'

it('a name has one address, which leads back to it', () => {
  const names = createSyntheticNames()
  const [a, b] = [names.addressOf('a.example'), names.addressOf('b.example')]
  expect(a).toBe('198.18.0.1')
  expect(b).toBe('198.18.0.2')
  expect(names.addressOf('a.example')).toBe(a)
  expect(names.nameAt(a)).toBe('a.example')
  expect(names.nameAt('198.18.0.3')).toBeUndefined()
})

it('keeps those in use, and never gives the address of a forgotten name to the next one', () => {
  const names = createSyntheticNames()
  const kept = names.addressOf('kept.example')
  const forgotten = names.addressOf('forgotten.example')
  for (let index = 0; index < 5_000; index++) {
    names.addressOf(`${index}.example`)
    names.nameAt(kept)
  }
  expect(names.nameAt(kept)).toBe('kept.example')
  expect(names.nameAt(forgotten)).toBeUndefined()
  expect(names.addressOf('forgotten.example')).not.toBe(forgotten)
})

it('all are of the network for tests of networks', () => {
  const names = createSyntheticNames()
  for (let index = 0; index < 140_000; index++) {
    if (!isSynthetic(names.addressOf(`${index}.example`))) throw new Error(`${index}`)
  }
  expect(isSynthetic('198.20.0.0')).toBe(false)
})
