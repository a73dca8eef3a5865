/** The project that a command applies to. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { usageFailure } from '../command-failure.ts'
import type { Api } from './connect.ts'

type Project = RouterOutputs['projects']['get']

/** How many names the error lists. */
const maxNames = 10

/**
 * The named project, else the team's only one.
 * @throws Failure (2) that lists the choices; the server's error for an unknown name.
 */
export async function pickProject(api: Api, named: string | undefined): Promise<Project> {
  if (named !== undefined) return api.projects.get.query({ project: named })
  const { data } = await api.projects.list.query({ limit: maxNames + 1 })
  const [first, second] = data
  if (first && !second) return first
  if (!first) throw usageFailure('No projects yet: `svc projects add <name>` creates one.')
  const names = data.slice(0, maxNames).map(({ name }) => name)
  throw usageFailure(
    `Pass a project with --project: ${names.join(', ')}${data.length > maxNames ? ', …' : ''}.`,
  )
}
