/** The present limits of a membership, an invitation and a key. */
import { sql } from 'drizzle-orm'
import { invitations } from '../../../stores/db/schema/invitations.ts'
import { keyProjects } from '../../../stores/db/schema/key-projects.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { memberProjects } from '../../../stores/db/schema/member-projects.ts'
import { projects } from '../../../stores/db/schema/projects.ts'
import { members } from '../../../stores/db/schema/teams.ts'

/**
 * The ids of the projects that a member is limited to, in a query of members; null without a limit. Owners
 * have none, whatever an earlier version has left behind.
 */
export const limitedTo = sql<string[] | null>`case when ${members}.limited and ${members}.role = 'member'
  then (
    select coalesce(json_agg(project_id order by project_id), '[]') from ${memberProjects}
    where ${memberProjects}.team_id = ${members}.team_id and ${memberProjects}.user_id = ${members}.user_id)
  end`

/** The same of a key, in a query of keys. */
export const keyLimitedTo = sql<string[] | null>`case when ${apiKeys}.limited
  then (
    select coalesce(json_agg(project_id order by project_id), '[]') from ${keyProjects}
    where ${keyProjects}.key_id = ${apiKeys}.id)
  end`

/** The same of an invitation, in a query of invitations: of its projects, those that exist. */
export const invitedTo = sql<string[] | null>`case
  when ${invitations}.projects is not null and ${invitations}.role = 'member'
  then (
    select coalesce(json_agg(found.id order by found.id), '[]')
    from jsonb_array_elements_text(${invitations}.projects) as chosen (id)
    join ${projects} as found on found.id = chosen.id and found.team_id = ${invitations}.team_id)
  end`
