/** The project that a command of `svc git` is about. */
import type { Command } from 'commander'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { globalOptions, type Io } from '../io.ts'

export type ProjectOptions = { project?: string }

/** The client, and the project of the option, of the link, or the only one. */
export async function reachProject(io: Io, { project }: ProjectOptions, command: Command) {
  const { api, linked } = connectLinked(io, globalOptions(command))
  return { api, project: await pickProject(api, project ?? linked?.project) }
}
