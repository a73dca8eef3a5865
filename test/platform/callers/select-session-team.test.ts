import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import type { Role } from '../../../src/platform/callers/principal.ts'
import { type Membership, selectSessionTeam } from '../../../src/platform/callers/select-session-team.ts'

function membership(
  name: string,
  { personal = false, role = 'member' }: { personal?: boolean; role?: Role } = {},
): Membership {
  return {
    teamId: `team_${name}`,
    teamSlug: name,
    plan: 'free',
    personal,
    factorRequired: false,
    role,
    projects: null,
  }
}

const web = membership('web', { role: 'owner' })
const own = membership('own', { personal: true, role: 'owner' })
const other = membership('other', { personal: true })

describe('the team of a session', () => {
  it.each([
    ['the personal one, when none is named', [web, own], undefined, own],
    ["the user's own personal one, not another's", [other, web, own], undefined, own],
    ['the first one, for a user without a personal one', [web, membership('docs')], undefined, web],
    ['the one named by its slug', [web, own], 'web', web],
    ['the one named by its id', [web, own], 'team_web', web],
    ["another user's personal one, by name", [own, other], 'other', other],
  ])('is %s', (_, memberships, reference, team) => {
    expect(selectSessionTeam(memberships, reference)).toBe(team)
  })

  it.each([
    ['another team', [web], 'docs'],
    ['another team’s id', [web], 'team_docs'],
    ['an empty name', [web], ''],
    ['another case', [web], 'WEB'],
    ['no team at all', [], undefined],
  ])('is 404 team_not_found for %s', (_, memberships, reference) => {
    const resolve = () => selectSessionTeam(memberships, reference)
    expect(resolve).toThrow(AppError)
    expect(resolve).toThrow(expect.objectContaining({ reason: 'team_not_found' }))
  })
})
