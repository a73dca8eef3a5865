/** Where the settings of a project are stored, except the environment. */
import type { PgColumn } from 'drizzle-orm/pg-core'
import { projects } from '../../stores/db/schema/projects.ts'
import { fields } from './fields.ts'

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
  ...byColumn(fields),
  productionBranch: projects.productionBranch,
  productionBranchBy: projects.productionBranchBy,
  bypassSha256: projects.bypassSha256,
  passwordHash: projects.passwordHash,
}

export type ProjectSettings = Pick<typeof projects.$inferSelect, keyof typeof settingColumns>
