/** How many processes a node has for its API and its edge, and what each may use. */
import { availableParallelism } from 'node:os'
import type { RoleName } from '../../../lib/settings/kinds.ts'
import type { Settings } from '../../../lib/settings/variables.ts'

/** The argument that makes the program one of these processes. */
export const processArgument = '--process'

/** The file descriptor of the channel to the first one. */
export const channelDescriptor = 4

/** Whether a role is in more than one process: only requests of clients need more than one core. */
export function isDivided(role: RoleName): boolean {
  return role === 'api' || role === 'edge'
}

/** The number of these processes; with 1, everything is in one process. */
export function processesOf(
  { SVC_PROCESSES, SVC_ROLES, DATABASE_URL }: Settings,
  cores = availableParallelism(),
): number {
  if (!SVC_ROLES.some(isDivided) || DATABASE_URL === undefined) return 1
  return SVC_PROCESSES === 'auto' ? cores : SVC_PROCESSES
}

/** A sentence for an operator whose node can't use all cores; undefined if it does. */
export function limitedToOneProcess({ SVC_PROCESSES, DATABASE_URL }: Settings): string | undefined {
  if (SVC_PROCESSES !== 'auto' || DATABASE_URL !== undefined) return undefined
  return (
    'SVC_PROCESSES=auto: this node stays one process, since only one can use the embedded database. ' +
    'Set DATABASE_URL to use all cores.'
  )
}

/** With one, a transaction would keep every other query of its process waiting. */
const leastConnections = 2

/**
 * The settings of one process of a node with `processes` besides the first: the first one has connections to
 * the database, too, and for the largest body there is always room.
 */
export function partOf(settings: Settings, processes: number): Settings {
  if (processes === 1) return settings
  const connections = Math.floor(settings.SVC_DATABASE_CONNECTIONS / (processes + 1))
  return {
    ...settings,
    SVC_DATABASE_CONNECTIONS: Math.max(leastConnections, connections),
    SVC_BODY_BYTES: Math.max(settings.SVC_MAX_JSON_BYTES, Math.floor(settings.SVC_BODY_BYTES / processes)),
  }
}
