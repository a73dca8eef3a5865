/** The JSON Schema of `svc.json`, which links a directory to a project and may hold its settings. */
import { z } from 'zod'
import type { FileSetting } from '../../platform/projects/file-settings.ts'
import { putProjectInput } from '../../platform/projects/input.ts'

/** The compiler holds it to the list. */
const settings = {
  project: true,
  build: true,
  protection: true,
  auto_promote: true,
  preview_ttl_days: true,
  spa: true,
  hsts: true,
  branch_addresses: true,
} as const satisfies Record<FileSetting | 'project', true>

const projectFile = putProjectInput
  .pick(settings)
  .extend({
    $schema: z.string().optional().meta({ description: 'The address of this schema' }),
    project: putProjectInput.shape.project.optional().meta({
      description: 'Name of the project; created if it is missing. Without it, --project names one',
    }),
    server: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({ description: 'Address of the server: a deployment to another one is refused' }),
    directory: z
      .string()
      .optional()
      .meta({ description: 'What to deploy, relative to this file. Its own folder by default' }),
  })
  .meta({
    title: 'svc.json',
    description: 'Links a directory to a project, with settings applied before each deployment',
  })

/** The schema (JSON Schema draft 7, which editors support best), as served at `address`. */
export function projectFileSchema(address: string): Record<string, unknown> {
  return { ...z.toJSONSchema(projectFile, { target: 'draft-7', io: 'input' }), $id: address }
}
