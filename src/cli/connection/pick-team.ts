/** The team that a command applies to. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { usageFailure } from '../command-failure.ts'
import type { Api } from './connect.ts'

/**
 * The named team, else the only one that the credential sees, as an API key does.
 * @throws Failure (2) that lists them.
 */
export async function pickTeam(api: Api, named: string | undefined): Promise<RouterOutputs['teams']['get']> {
  if (named !== undefined) return api.teams.get.query({ team: named })
  const { data } = await api.teams.list.query({ limit: 10 })
  const [first, second] = data
  if (first && !second) return api.teams.get.query({ team: first.id })
  throw usageFailure(`Pass a team: ${data.map(({ slug }) => slug).join(', ')}.`)
}
