import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coversName } from '../../../src/lib/tls/covered-names.ts'
import { newCertificate } from '../../support/certificate.ts'

describe('a certificate', () => {
  it.each([
    ['www.example.com', 'www.example.com', true],
    ['www.example.com', 'example.com', false],
    ['*.example.com', 'www.example.com', true],
    ['*.example.com', '*.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'a.b.example.com', false],
    ['*.localhost', 'site.localhost', true],
    ['www.example.com', '*.example.com', false],
  ])('of %s is for %s: %s', async (name, wanted, isCovered) => {
    const { cert } = await newCertificate(name)
    expect(coversName(new X509Certificate(cert), wanted)).toBe(isCovered)
  })
})
