import { describe, expect, it } from 'vitest'
import { usualRenewalMs } from '../../../src/platform/certificates/renewal.ts'

const dayMs = 24 * 60 * 60_000

describe('without advice of the authority', () => {
  it.each([
    [90, 60],
    [45, 30],
    [6, 4],
  ])('a certificate of %s days is renewed after %s', (lifetime, days) => {
    expect(usualRenewalMs({ notBeforeMs: 0, notAfterMs: lifetime * dayMs })).toBe(days * dayMs)
  })
})
