/** The table of a project's settings, and what is by hand beside it. */
import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { fieldFacts } from '../../../src/platform/projects/field-facts.ts'
import { fields } from '../../../src/platform/projects/fields.ts'
import { settingColumns } from '../../../src/platform/projects/setting-columns.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'

/** The columns of projects that no request sets. */
const kept = [
  'id',
  'teamId',
  'productionHost',
  'bypassVersion',
  'accessVersion',
  'previewsDueMs',
  'productionDeploymentId',
  'promotedByHandMs',
  'createdMs',
  'updatedMs',
  'activeMs',
]

it('each column is in the table, set by a request in its own way, or kept by the server', () => {
  const known = [...Object.keys(settingColumns), ...kept]
  expect(Object.keys(getTableColumns(projects)).sort()).toEqual(known.sort())
})

it.each(Object.entries(fields))(
  '%s: its default is a value that a record may have',
  (_, { output, initial }) => {
    expect(output.parse(initial)).toBe(initial)
  },
)

it('the command knows the kinds of values', () => {
  const { protection, spa, preview_ttl_days, note } = fieldFacts
  expect([protection, spa, preview_ttl_days, note].map(({ takes }) => takes)).toEqual([
    ['none', 'preview', 'all'],
    'switch',
    'number',
    'text',
  ])
})
