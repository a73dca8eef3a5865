import { createDecipheriv, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asSecret } from '../../../src/lib/secret.ts'
import { openEnvValue, sealEnvValue } from '../../../src/platform/projects/env.ts'

const key = randomBytes(32)
const place = { projectId: 'prj_1', key: 'SECRET', target: 'production' } as const

/** The content of a sealed text, opened as the comment in env.ts describes its format. */
function open(sealed: string, at: { projectId: string; key: string; target: string }): string {
  expect(sealed.slice(0, 3)).toBe('v1.')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(`${at.projectId}\n${at.key}\n${at.target}`))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

describe('a sealed value', () => {
  it.each(['', 'x', 'two\nlines', 'ünïcödé 🔑', 'x'.repeat(65_536)])(
    'opens with the key, at its place',
    (value) => {
      const sealed = sealEnvValue(key, place, asSecret(value))
      expect(open(sealed, place)).toBe(value)
      expect(openEnvValue(key, place, sealed)).toBe(value)
    },
  )

  it('is different each time', () => {
    const sealed = Array.from({ length: 100 }, () => sealEnvValue(key, place, asSecret('same')))
    expect(new Set(sealed).size).toBe(100)
    expect(new Set(sealed.map((text) => text.slice(3, 19))).size).toBe(100)
  })

  it.each<[string, Parameters<typeof sealEnvValue>[1]]>([
    ['another project', { ...place, projectId: 'prj_2' }],
    ['another variable', { ...place, key: 'OTHER' }],
    ['another target', { ...place, target: 'preview' }],
    ['a branch', { ...place, branch: 'next' }],
  ])("doesn't open at %s", (_, other) => {
    expect(() => openEnvValue(key, other, sealEnvValue(key, place, asSecret('value')))).toThrow()
  })

  it("doesn't open with another key, or with a changed bit", () => {
    const sealed = sealEnvValue(key, place, asSecret('value'))
    expect(() => openEnvValue(randomBytes(32), place, sealed)).toThrow()
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (const at of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => openEnvValue(key, place, `v1.${changed.toString('base64url')}`)).toThrow()
    }
  })
})
