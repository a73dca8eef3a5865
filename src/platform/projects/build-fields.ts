/** The table of how a project is built: its rows are the parts of `build`. */
import { z } from 'zod'
import type { BuildSettings } from '../../stores/db/schema/projects.ts'
import { directorySchema } from './directory-schema.ts'
import { rowsIn } from './field.ts'

const buildField = rowsIn<BuildSettings>()

const command = z.string().min(1).max(2_000)

export const buildFields = {
  install_command: buildField({
    column: 'install_command',
    schema: command,
    output: z.string().nullable(),
    initial: null,
    option: ['--install-command <command>', 'runs first in a build'],
    line: { label: 'install', words: { null: 'nothing' } },
  }),
  build_command: buildField({
    column: 'build_command',
    schema: command,
    output: z.string().nullable(),
    initial: null,
    option: ['--build-command <command>', 'builds the site'],
    line: { label: 'build', words: { null: 'none: files are deployed as they are' } },
  }),
  output_directory: buildField({
    column: 'output_directory',
    schema: directorySchema,
    output: z.string(),
    initial: 'dist',
    option: ['--output-directory <path>', 'the directory with the built site'],
    line: { label: 'output', words: {} },
  }),
  root_directory: buildField({
    column: 'root_directory',
    schema: directorySchema,
    output: z.string(),
    initial: '.',
    option: ['--root-directory <path>', 'the directory in which the commands run'],
    line: { label: 'root', words: {} },
  }),
}
