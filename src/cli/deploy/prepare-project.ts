/** Prepares a project for a deployment: creates it, or brings it to the settings in `svc.json`. */
import type { Api } from '../connection/connect.ts'
import { explain } from '../explain.ts'
import type { Io } from '../io.ts'
import { changedSettings } from '../project-file/changed-settings.ts'
import type { FileSettings } from '../project-file/project-file.ts'
import { warn } from '../terminal/output.ts'

/**
 * Creates the project if it is missing, else puts those settings that differ.
 * @throws TRPCClientError for what the server refuses, such as a setting that only owners may change.
 */
export async function prepareProject(
  { io, api }: { io: Io; api: Api },
  project: string,
  settings: FileSettings,
): Promise<void> {
  const present = await api.projects.get.query({ project }).catch((error: unknown) => {
    if (explain(error).body.reason !== 'project_not_found') throw error
    return undefined
  })
  if (!present) return createProject({ io, api }, project, settings)
  const changed = changedSettings(settings, present)
  const names = Object.keys(changed)
  if (names.length === 0) return
  await api.projects.put.mutate({ project: present.id, ...changed })
  warn(io, `Updated ${present.name}: ${names.join(', ')}.`)
}

/**
 * Creates the project.
 * @throws TRPCClientError for what the server refuses, such as a name that can't be one.
 */
export async function createProject(
  { io, api }: { io: Io; api: Api },
  project: string,
  settings: FileSettings,
): Promise<void> {
  const { name } = await api.projects.put.mutate({ project, ...settings })
  warn(io, `Created project ${name}.`)
}
