import { expect, it } from 'vitest'
import { teamNameFor } from '../../../src/platform/people/team-name.ts'

it.each([
  ['ada@example.com', 'Ada Lovelace', "Ada Lovelace's team"],
  ['ada@example.com', 'ada@example.com', "Ada's team"],
  ['ada.lovelace+svc@example.com', 'ada.lovelace+svc@example.com', "Ada Lovelace's team"],
  ['+@example.com', '+@example.com', "+@example.com's team"],
])('the team of %s, called %s, is %s', (email, name, team) => {
  expect(teamNameFor({ email, name })).toBe(team)
})

it('is no longer than a team may be called', () => {
  const name = teamNameFor({ email: 'ada@example.com', name: '🦊'.repeat(100) })
  expect(name.length).toBeLessThanOrEqual(200)
  expect(name.isWellFormed()).toBe(true)
})
