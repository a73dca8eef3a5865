import { describe, expect, it } from 'vitest'
import { auditMessage } from '../../../src/stores/events/audit-message.ts'
import { changeOf, differences, secretChange } from '../../../src/stores/events/changes.ts'

describe('a change', () => {
  it('has texts as they are, others as JSON, and null for none', () => {
    expect(changeOf('name', 'web', 'docs')).toEqual({ field: 'name', before: 'web', after: 'docs' })
    expect(changeOf('spa', false, true)).toMatchObject({ before: 'false', after: 'true' })
    expect(changeOf('days', null, 7)).toMatchObject({ before: null, after: '7' })
    expect(changeOf('days', undefined, ['a'])).toMatchObject({ before: null, after: '["a"]' })
  })

  it('has at most 256 bytes of each value, and whole characters', () => {
    const { before, after } = changeOf('command', 'é'.repeat(1_000), 'a'.repeat(256))
    expect(Buffer.byteLength(before ?? '')).toBeLessThanOrEqual(256)
    expect(before).toMatch(/^é+…$/)
    expect(after).toBe('a'.repeat(256))
  })

  it('of a secret says whether there was one, and is one', () => {
    expect(secretChange('password', false, true)).toMatchObject({ before: null, after: '(secret)' })
    expect(secretChange('password', true, true)).toMatchObject({ before: '(secret)', after: '(secret)' })
    expect(secretChange('password', true, false)).toMatchObject({ before: '(secret)', after: null })
  })

  it('is of fields that differ alone', () => {
    const same = { spa: true, name: 'web' }
    expect(differences({ ...same, days: 1 }, { ...same, days: null })).toEqual([
      { field: 'days', before: '1', after: null },
    ])
  })

  it('is there where long values differ in their ends', () => {
    const long = 'a'.repeat(500)
    expect(differences({ command: `${long}b` }, { command: `${long}c` })).toMatchObject([
      { field: 'command' },
    ])
  })
})

describe('a sentence about changes', () => {
  const project = { id: 'prj_1', name: 'web' }
  const say = (changes: unknown, changed = ['a']) =>
    auditMessage('project.updated', { project, changed, changes })

  it('has five of them, and at most 60 characters of each value', () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      changeOf(`f${index}`, 'x'.repeat(300), '🙂'.repeat(99)),
    )
    const text = say(many, [])
    expect(text).toContain(`f0 (${'x'.repeat(60)}… → ${'🙂'.repeat(60)}…), f1 (`)
    expect(text).toMatch(/f4 \([^)]*\), and 3 more$/)
  })

  it('of an event of an earlier version has the names of the fields', () => {
    expect(say(undefined, ['spa', 'env'])).toBe('changed project web: spa, env')
  })
})
