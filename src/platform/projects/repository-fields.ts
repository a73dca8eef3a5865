/**
 * The table of how a project deploys its repository at a forge: fields of `git` that are stored as they are
 * set, and go back to the first value with another address. The others have ways of their own: `url` and
 * `provider` decide on each other, token and secret are sealed and end with the address, and
 * `production_branch` is the project's, and follows the forge until an owner sets it.
 */
import { z } from 'zod'
import { integer } from '../../stores/db/record-fields.ts'
import type { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { directorySchema } from './directory-schema.ts'
import { rowsIn } from './field.ts'
import { watchSchema } from './watch-schema.ts'

const repositoryField = rowsIn<typeof projectRepositories.$inferSelect>()

const forksSchema = z.union([z.literal(false), z.literal('approve')])

export const repositoryFields = {
  root_directory: repositoryField({
    column: 'rootDirectory',
    schema: directorySchema,
    says: 'The directory of the repository that is deployed; null: all of it',
    output: z.string().nullable().default(null),
    initial: null,
    option: ['--root-directory <path>', 'the directory of the repository that is deployed'],
  }),
  watch: repositoryField({
    column: 'watch',
    schema: watchSchema,
    says: 'Other files and directories of the repository whose changes have a push deployed',
    output: z
      .array(z.string())
      .default([])
      .meta({ description: 'Other files and directories whose changes have a push deployed' }),
    initial: [],
    option: ['--watch <path>', 'another file or directory whose changes are deployed; repeatable, or none'],
    line: { label: 'watched', words: {} },
  }),
  skip_unchanged: repositoryField({
    column: 'skipUnchanged',
    schema: z.boolean(),
    says: 'Whether pushes that change nothing in root_directory are passed over',
    output: z.boolean().default(true),
    initial: true,
    option: ['--every-push [on|off]', 'also deploy pushes that change nothing there'],
  }),
  close_days: repositoryField({
    column: 'closeDays',
    schema: z.int().min(0).max(365),
    says:
      'After so many days deployments made for pull requests that are closed are deleted; ' +
      'null: they stay',
    output: integer.nullable().default(null).meta({
      description: 'After so many days deployments of closed pull requests are deleted; null: they stay',
    }),
    initial: null,
    option: [
      '--close-days <days>',
      'delete deployments of a pull request so long after it was closed, or none',
    ],
    line: { label: 'closed pull requests', words: { other: 'kept # days' } },
  }),
  forks: repositoryField({
    column: 'takesForks',
    word: 'approve',
    schema: forksSchema,
    says:
      'With "approve", pull requests of forks are deployed as untrusted previews, each head commit once ' +
      'an owner has approved it; false when url changes',
    output: forksSchema.default(false).meta({
      description: 'Whether pull requests of forks are deployed, each commit once an owner has approved it',
    }),
    initial: false,
    option: [
      '--forks <approve|off>',
      'deploy pull requests of forks, each commit once an owner has approved it',
    ],
    line: {
      label: 'forks',
      words: { false: 'not deployed', other: 'deployed once an owner has approved the commit' },
    },
  }),
}
