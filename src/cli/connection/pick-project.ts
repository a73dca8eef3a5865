/** Which project a command is about. */
import type { RouterOutputs } from '../../client/index.ts'
import { usageFailure } from '../failure.ts'
import { plain } from '../terminal/output.ts'
import type { Api } from './connect.ts'

type Project = RouterOutputs['projects']['get']

/** As many names as help somebody who forgot to give one. */
const shown = 10

/**
 * The project that was named, else the team's only one.
 * @throws Failure (2) that lists those to choose from; what the server says where there is no project of that name.
 */
export async function pickProject(api: Api, named: string | undefined): Promise<Project> {
  if (named !== undefined) return api.projects.get.query({ project: named })
  const { data } = await api.projects.list.query({ limit: shown + 1 })
  const [first, second] = data
  if (first && !second) return first
  if (!first) throw usageFailure('There is no project yet: `svc projects add <name>` makes one.')
  const names = data.slice(0, shown).map(({ name }) => plain(name))
  throw usageFailure(`Name a project with --project: ${names.join(', ')}${data.length > shown ? ', …' : ''}.`)
}
