/** Prepares a project for a deployment: creates it, or brings it to the settings in `svc.json`. */

import { Failure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { exitCodes } from '../exit-codes.ts'
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
  await api.projects.put.mutate({ project: present.id, ...changed }).catch((error: unknown) => {
    throw explain(error).body.reason === 'scope' ? mayNotChange(present.name, names) : error
  })
  warn(io, `Updated ${present.name}: ${names.join(', ')}.`)
}

/** The failure for a job's identity token, which may deploy, but not change the project. */
function mayNotChange(project: string, names: string[]): Failure {
  return new Failure(exitCodes.notAllowed, {
    reason: 'scope',
    message:
      `svc.json changes settings of ${project} (${names.join(', ')}), and this job may only deploy. ` +
      'Have a member run `svc deploy` once, or set them with `svc projects set`.',
  })
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
