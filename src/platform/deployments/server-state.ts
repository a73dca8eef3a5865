/** The server of a deployment as clients see it: what is frozen with it, and the best state of any node. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { integer } from '../../stores/db/record-fields.ts'
import { type DeploymentServer, deployments } from '../../stores/db/schema/projects.ts'
import { serverStates, servers } from '../../stores/db/schema/servers.ts'

/** The server of a deployment. */
export const deploymentServerSchema = z
  .object({
    state: z.enum(serverStates).meta({
      description:
        'The best state on any node: running, starting, crashed where it waits to be started again, or ' +
        'stopped, until a request starts it',
    }),
    command: z.string().meta({ description: 'The command that starts it' }),
    node: z.string().meta({ description: 'The version of Node.js that runs it', examples: ['24.21.0'] }),
    memory_bytes: integer.nullable().meta({
      description: 'The memory of all its processes, as it was measured last; null where none runs',
    }),
    restarts: integer.meta({
      description: 'How often its processes that run now have ended by themselves, altogether',
    }),
  })
  .meta({ id: 'DeploymentServer' })

export type DeploymentServerRecord = z.infer<typeof deploymentServerSchema>

/** The states from the best one on. */
const byRank = ['running', 'starting', 'crashed', 'stopped'] as const

/** The processes of a deployment on all nodes; `rank` is the place of their best state, null without any. */
export type ServerProcesses = { rank: number | null; memory_bytes: number | null; restarts: number }

/**
 * The column with the processes of a deployment that has a server, null for others. Rows are looked up for
 * those alone, each by its key.
 */
export const serverProcesses = sql<ServerProcesses | null>`case when ${deployments}.server is not null then (
  select json_build_object(
    'rank', min(array_position(array[${sql.raw(byRank.map((state) => `'${state}'`).join(', '))}],
      ${servers}.state)),
    'memory_bytes', sum(${servers}.memory_bytes), 'restarts', coalesce(sum(${servers}.restarts), 0))
  from ${servers}
  where ${servers}.deployment_id = ${deployments}.id and ${servers}.lease_until_ms > ${databaseMs}) end`

/** The server as clients see it; null for a deployment of files alone. */
export function toServerRecord(
  server: DeploymentServer | null,
  processes: ServerProcesses | null,
): DeploymentServerRecord | null {
  if (server === null) return null
  const { command, node } = server
  return {
    state: byRank[(processes?.rank ?? byRank.length) - 1] ?? 'stopped',
    command,
    node,
    memory_bytes: processes?.memory_bytes ?? null,
    restarts: processes?.restarts ?? 0,
  }
}
