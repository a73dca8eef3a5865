import { describe, expect, it } from 'vitest'
import { slugsFor } from '../../../src/platform/people/team-slug.ts'

function firstSlugs(email: string, name: string, count: number): string[] {
  const slugs: string[] = []
  for (const slug of slugsFor({ email, name })) {
    slugs.push(slug)
    if (slugs.length === count) break
  }
  return slugs
}

describe("the slug of a user's personal team", () => {
  it.each([
    ['ada@example.com', 'Ada', ['ada']],
    ['Ada.Lovelace+svc@example.com', '', ['ada-lovelace-svc']],
    ['a@example.com', 'Ångström, Anders', ['a', 'angstrom-anders']],
    ['_-_@example.com', 'Ada', ['ada']],
    [`${'x'.repeat(60)}@example.com`, '', ['x'.repeat(30)]],
  ])('of %s, called %s, comes from the address, else from the name', (email, name, slugs) => {
    expect(firstSlugs(email, name, slugs.length)).toEqual(slugs)
  })

  it('gets random digits when that is taken', () => {
    const [, second, third] = firstSlugs('ada@example.com', 'Ada', 3)
    expect(second).toMatch(/^ada-[0-9a-f]{6}$/)
    expect(third).not.toBe(second)
  })

  it('is random when nothing of the address and the name can be used', () => {
    expect(firstSlugs('+@example.com', '李', 1)[0]).toMatch(/^team-[0-9a-f]{6}$/)
  })
})
