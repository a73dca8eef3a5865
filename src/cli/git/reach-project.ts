/** The project that a command of `svc git` is about. */
import type { Command } from 'commander'
import { shortLabel, shortLabelRule } from '../../lib/names/short-label.ts'
import { usageFailure } from '../command-failure.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { explain } from '../explain.ts'
import { globalOptions, type Io } from '../io.ts'

export type ProjectOptions = { project?: string }

/** The client, and the project of the option, of the link, or the only one. */
export async function reachProject(io: Io, { project }: ProjectOptions, command: Command) {
  const { api, linked } = connectLinked(io, globalOptions(command))
  return { api, project: await pickProject(api, project ?? linked?.project) }
}

/**
 * The same; `project` is undefined where the option names one that is still to be made, by `name`.
 * @throws Failure (2) for what can't be the name of a project.
 */
export async function reachOrName(io: Io, options: ProjectOptions, command: Command) {
  const { api, url, linked } = connectLinked(io, globalOptions(command))
  const named = options.project
  try {
    const project = await pickProject(api, named ?? linked?.project)
    return { api, url, project, name: project.name }
  } catch (error) {
    if (named === undefined || explain(error).body.reason !== 'project_not_found') throw error
    // An id names none that can be made.
    if (named.startsWith('prj_')) throw error
    if (!shortLabel.test(named)) throw usageFailure(`--project ${shortLabelRule}.`)
    return { api, url, project: undefined, name: named }
  }
}
