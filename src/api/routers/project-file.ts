/** The JSON Schema of `svc.json`, which links a directory to a project and may hold its settings. */
import { z } from 'zod'
import { fileSettings } from '../../platform/projects/file-settings.ts'
import { putProjectInput } from '../../platform/projects/project-input.ts'

const { shape } = putProjectInput

const projectFile = z
  .strictObject({
    project: shape.project.optional().meta({
      description: 'Name of the project; created if it is missing. Without it, --project names one',
    }),
    ...Object.fromEntries(fileSettings.map((name) => [name, shape[name]])),
    $schema: z.string().optional().meta({ description: 'The address of this schema' }),
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
