/** The tables of a project's settings, and what is by hand beside them. */
import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { buildFields } from '../../../src/platform/projects/build-fields.ts'
import { columnNames } from '../../../src/platform/projects/field.ts'
import { fieldFacts, repositoryFacts } from '../../../src/platform/projects/field-facts.ts'
import { fields } from '../../../src/platform/projects/fields.ts'
import { repositoryFields } from '../../../src/platform/projects/repository-fields.ts'
import { runtimeFields } from '../../../src/platform/projects/runtime-fields.ts'
import { settingColumns } from '../../../src/platform/projects/setting-columns.ts'
import { projectRepositories } from '../../../src/stores/db/schema/project-repositories.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'

/** The columns of projects that no request sets. */
const kept = [
  'id',
  'teamId',
  'productionHost',
  'bypassVersion',
  'accessVersion',
  'previewsDueMs',
  'restartedMs',
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

/** Those of repositories that are set in a way of their own, or that the server keeps. */
const ofRepository = [
  'projectId',
  'provider',
  'url',
  'repositoryId',
  'formerUrls',
  'defaultBranch',
  'tokenSealed',
  'secretSealed',
  'connectedBy',
  'updatedMs',
]

it('so is each column of a repository', () => {
  const known = [...columnNames(repositoryFields), ...ofRepository]
  expect(Object.keys(getTableColumns(projectRepositories)).sort()).toEqual(known.sort())
})

it.each(Object.entries({ ...fields, ...buildFields, ...runtimeFields, ...repositoryFields }))(
  '%s: its default is a value that a record may have',
  (_, { output, initial }) => {
    expect(output.parse(initial)).toEqual(initial)
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
  expect(repositoryFacts).toMatchObject({
    watch: { takes: 'list' },
    skip_unchanged: { takes: 'switch' },
    close_days: { takes: 'number', least: 0 },
    forks: { takes: ['approve', false] },
  })
})
