/** Which forms of a file a client accepts. */
import { describe, expect, it } from 'vitest'
import { acceptedForms } from '../../../src/stores/blobs/accept-encoding.ts'

describe('Accept-Encoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
    ['br', ['br', 'identity']],
    ['gzip', ['gzip', 'identity']],
    ['x-gzip', ['gzip', 'identity']],
    ['identity', ['identity']],
    ['deflate', ['identity']],
    ['', ['identity']],
    ['*', ['br', 'gzip', 'identity']],
  ])('%j puts the smallest form first', (field, forms) => expect(acceptedForms(field)).toEqual(forms))

  it('accepts no compressed form if it is missing', () =>
    expect(acceptedForms(undefined)).toEqual(['identity']))

  it.each([
    ['br;q=0.5, gzip', ['gzip', 'br', 'identity']],
    ['br;q=0.5, gzip;q=0.5', ['br', 'gzip', 'identity']],
    ['gzip;q=0.5, identity', ['identity', 'gzip']],
    ['gzip;q=0.5, identity;q=0.8, br;q=0.3', ['identity', 'gzip', 'br']],
    ['br;q=0, gzip', ['gzip', 'identity']],
    ['*;q=0.1, gzip', ['gzip', 'br', 'identity']],
    ['br, *;q=0', ['br']],
    ['br, *;q=0, identity;q=0.1', ['br', 'identity']],
    ['br, identity;q=0', ['br']],
    ['*;q=0', []],
    ['identity;q=0', []],
    ['br;q=0.001, gzip;q=0.002', ['gzip', 'br', 'identity']],
  ])('%j is sorted by weight, and 0 forbids', (field, forms) => expect(acceptedForms(field)).toEqual(forms))

  it.each([
    ['BR;Q=0.5 ,\tGZip', ['gzip', 'br', 'identity']],
    ['br ; q=0.2,gzip; q=0.3', ['gzip', 'br', 'identity']],
    ['br;level=11;q=0.2, gzip', ['gzip', 'br', 'identity']],
    [',,br,, ,', ['br', 'identity']],
    ['br;q=1.0000000', ['br', 'identity']],
    ['br;q=1., gzip;q=0.', ['br', 'identity']],
    ['br, br;q=0', ['identity']],
    ['br;q=0, br', ['identity']],
  ])('%j is parsed whatever its spelling', (field, forms) => expect(acceptedForms(field)).toEqual(forms))

  it.each([
    'br;q=2',
    'br;q=-1',
    'br;q=',
    'br;q=abc',
    'br;q=1.5',
    'br;q=0x1',
    'br;q=1e0',
    '"br"',
    'br gzip',
    'brr',
    ';q=1',
  ])('%j accepts nothing known', (field) => expect(acceptedForms(field)).toEqual(['identity']))

  it('is parsed quickly, however long it is, and no further than makes sense', () => {
    const startedMs = performance.now()
    for (const member of ['br;q=0.5,', ';', ',', ' ', 'q=', 'x;q=0.0000,', 'é,']) {
      expect(acceptedForms(member.repeat(8_000)).at(-1)).toBe('identity')
    }
    expect(acceptedForms(`${'x,'.repeat(60)}br`)).toEqual(['identity'])
    expect(performance.now() - startedMs).toBeLessThan(500)
  })

  it('is cached for as many values as a few clients send', () => {
    const first = acceptedForms('gzip, br')
    expect(acceptedForms('gzip, br')).toBe(first)
    for (let i = 0; i < 300; i += 1) acceptedForms(`gzip, x-${i}`)
    expect(acceptedForms('gzip, br')).not.toBe(first)
    expect(acceptedForms('gzip, br')).toEqual(first)
  })
})
