/** Where the settings of a project are stored, except the environment. */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { namesOf } from './field.ts'
import { fields } from './fields.ts'
import { repositoryFields } from './repository-fields.ts'

type Rows = Record<string, { column: keyof typeof projects.$inferSelect }>

/** The columns of fields, by the names of the fields. */
export function byField<Fields extends Rows>(
  rows: Fields,
): { [Name in keyof Fields]: (typeof projects)[Fields[Name]['column']] }
export function byField(rows: Rows): Record<string, PgColumn> {
  return Object.fromEntries(Object.entries(rows).map(([name, { column }]) => [name, projects[column]]))
}

/** The same by their own names. */
function byColumn<Fields extends Rows>(
  rows: Fields,
): { [Name in keyof Fields as Fields[Name]['column']]: (typeof projects)[Fields[Name]['column']] }
function byColumn(rows: Rows): Record<string, PgColumn> {
  return Object.fromEntries(Object.values(rows).map(({ column }) => [column, projects[column]]))
}

export const settingColumns = {
  name: projects.name,
  build: projects.build,
  runtime: projects.runtime,
  ...byColumn(fields),
  productionBranch: projects.productionBranch,
  productionBranchBy: projects.productionBranchBy,
  bypassSha256: projects.bypassSha256,
  passwordHash: projects.passwordHash,
}

export type ProjectSettings = Pick<typeof projects.$inferSelect, keyof typeof settingColumns>

/** The fields of a repository as arguments of `json_build_object`. */
export const repositoryPairs: SQL = sql.join(
  namesOf(repositoryFields).map(
    (name) => sql`${sql.raw(`'${name}'`)}, ${shownValue(repositoryFields[name])}`,
  ),
  sql`, `,
)

type RepositoryRow = { column: keyof typeof projectRepositories.$inferSelect; word?: string }

function shownValue({ column, word }: RepositoryRow): SQL {
  const value = sql`${projectRepositories[column]}`
  return word === undefined
    ? value
    : sql`case when ${value} then to_jsonb(${sql.raw(`'${word}'`)}::text) else 'false' end`
}
