/** What the running node and the command on the same machine agree on. */
import { join, relative } from 'node:path'
import { z } from 'zod'
import { planSchema } from '../limits/plan.ts'
import { SettingsError } from '../settings.ts'

/** A new owner key: the token, which is shown this once, and the id of the team it belongs to. */
export const ownerKeySchema = z.object({ token: z.string().min(1), team: z.string().min(1) })

export type OwnerKey = z.infer<typeof ownerKeySchema>

/** What a refusal or a failure is answered with. */
export const adminErrorSchema = z.object({ message: z.string() })

/** Where a new owner key is asked for, with POST. */
export const ownerKeyPath = '/keys'

/** The plan of a team, by slug or id where it is asked for, and by slug in the answer. */
export const teamPlanSchema = z.object({ team: z.string().min(1).max(100), plan: planSchema })

export type TeamPlan = z.infer<typeof teamPlanSchema>

/** Where a team's plan is set, with POST. */
export const teamPlanPath = '/plan'

/** The longest path of a Unix socket, in bytes: `sun_path` without its NUL, which is 4 bytes shorter off Linux. */
const maxPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * The path of the node's socket, relative to `cwd` when the absolute one is too long for a socket.
 * @throws SettingsError when both are.
 */
export function adminSocketPath(directory: string, cwd = process.cwd()): string {
  const absolute = join(directory, 'admin.sock')
  const path = [absolute, relative(cwd, absolute)].find((each) => Buffer.byteLength(each) <= maxPathBytes)
  if (path !== undefined) return path
  throw new SettingsError(
    `SVC_DATA_DIR (${directory}) is too long: with /admin.sock behind it, it must fit in ${maxPathBytes} bytes.`,
  )
}
