/** What the running node and the command on the same machine agree on. */
import { join, relative } from 'node:path'
import { z } from 'zod'
import { planSchema } from '../limits/plan.ts'
import { SettingsError } from '../settings/error.ts'

/** A new owner key: the token, which is shown this once, and the id of the team it belongs to. */
const ownerKeySchema = z.object({ token: z.string().min(1), team: z.string().min(1) })

export type OwnerKey = z.infer<typeof ownerKeySchema>

/** What a refusal or a failure is answered with. */
export const adminErrorSchema = z.object({ message: z.string() })

/** A link with which a person sets a password, which is shown this once. */
const personLinkSchema = z.object({ url: z.url(), expires_ms: z.int() })

/** A team, by its slug or id, and its plan. */
const teamPlanSchema = z.strictObject({ team: z.string().min(1), plan: planSchema })

/** That the clock is right: what time it is, and the latest that had been seen before. */
const acceptedClockSchema = z.object({ now_ms: z.int(), seen_ms: z.int() })

export type TeamPlan = z.infer<typeof teamPlanSchema>

/** Whether to put stored files aside that no row names, or only to count them. */
const sweepSchema = z.strictObject({ only_count: z.boolean() })

/** How many no row names, of how many there are, how many were put aside, and for how many days they are kept. */
const sweptSchema = z.object({ stray: z.int(), objects: z.int(), swept: z.int(), kept_days: z.int() })

/** What can be asked for: what is sent, and what comes back. */
type AdminRequests = {
  createOwnerKey: { input: Record<string, never>; output: OwnerKey }
  createPersonLink: { input: { email?: string | undefined }; output: z.infer<typeof personLinkSchema> }
  setPlan: { input: TeamPlan; output: TeamPlan }
  sweepBlobs: { input: z.infer<typeof sweepSchema>; output: z.infer<typeof sweptSchema> }
  acceptClock: { input: Record<string, never>; output: z.infer<typeof acceptedClockSchema> }
}

export type AdminRequest = keyof AdminRequests
export type AdminInput<R extends AdminRequest> = AdminRequests[R]['input']
export type AdminOutput<R extends AdminRequest> = AdminRequests[R]['output']

/** Each request is a POST of JSON; `failed` completes "The node failed to …". */
type AdminRoutes = {
  [R in AdminRequest]: {
    path: string
    input: z.ZodType<AdminInput<R>>
    output: z.ZodType<AdminOutput<R>>
    failed: string
    /** For how long the command waits, where the answer may take its time. */
    timeoutMs?: number
  }
}

export const adminRoutes: AdminRoutes = {
  createOwnerKey: {
    path: '/keys',
    input: z.strictObject({}),
    output: ownerKeySchema,
    failed: 'make an owner key',
  },
  createPersonLink: {
    path: '/people',
    input: z.strictObject({ email: z.string().optional() }),
    output: personLinkSchema,
    failed: 'make a link',
  },
  setPlan: {
    path: '/plans',
    input: teamPlanSchema,
    output: teamPlanSchema,
    failed: 'set the plan',
  },
  sweepBlobs: {
    path: '/blobs/sweep',
    input: sweepSchema,
    output: sweptSchema,
    failed: 'look through the stored files',
    timeoutMs: 60 * 60_000,
  },
  acceptClock: {
    path: '/clock',
    input: z.strictObject({}),
    output: acceptedClockSchema,
    failed: 'accept the clock',
  },
}

export const adminRequests = Object.keys(adminRoutes) as AdminRequest[]

export type AdminHandlers = { [R in AdminRequest]: (input: AdminInput<R>) => Promise<AdminOutput<R>> }

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
