/** The protocol between the running node and the command on the same machine. */
import { z } from 'zod'
import { planSchema } from '../../lib/plan.ts'
import { socketPath } from './socket-path.ts'

/** A new owner key: the token, which is not stored, and the id of its team. */
const ownerKeySchema = z.object({ token: z.string().min(1), team: z.string().min(1) })

export type OwnerKey = z.infer<typeof ownerKeySchema>

/** The body of an error response. */
export const adminErrorSchema = z.object({ message: z.string() })

/** Whose link to set a password, and whether the second factor is taken away as well. */
const personLinkInput = z.strictObject({
  email: z.string().optional(),
  without_second_factor: z.boolean().optional(),
})

/** A link to set a password, which is not stored. */
const personLinkSchema = z.object({ url: z.url(), expires_ms: z.int() })

/** A team, by its slug or id, and its plan. */
const teamPlanSchema = z.strictObject({ team: z.string().min(1), plan: planSchema })

/** The confirmed time, and the latest one seen before. */
const acceptedClockSchema = z.object({ now_ms: z.int(), seen_ms: z.int() })

export type TeamPlan = z.infer<typeof teamPlanSchema>

/** Whether to move unreferenced files to the trash, or only to count them. */
const sweepSchema = z.strictObject({ only_count: z.boolean() })

/** How many files are unreferenced, of how many, how many were moved, and for how many days they are kept. */
const sweptSchema = z.object({ stray: z.int(), objects: z.int(), swept: z.int(), kept_days: z.int() })

/** Whether to extend a hold on the collection of blobs, or to begin one; and whether it holds now. */
const holdSchema = z.strictObject({ extend: z.boolean() })
const heldSchema = z.object({ held: z.boolean() })

/** The directory with a copy of the embedded database. */
const databaseCopySchema = z.object({ directory: z.string() })

/** The requests, with their input and output. */
type AdminRequests = {
  createOwnerKey: { input: Record<string, never>; output: OwnerKey }
  createPersonLink: { input: z.infer<typeof personLinkInput>; output: z.infer<typeof personLinkSchema> }
  setPlan: { input: TeamPlan; output: TeamPlan }
  sweepBlobs: { input: z.infer<typeof sweepSchema>; output: z.infer<typeof sweptSchema> }
  acceptClock: { input: Record<string, never>; output: z.infer<typeof acceptedClockSchema> }
  holdCollection: { input: z.infer<typeof holdSchema>; output: z.infer<typeof heldSchema> }
  copyDatabase: { input: Record<string, never>; output: z.infer<typeof databaseCopySchema> }
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
    /** How long the command waits for slow requests. */
    timeoutMs?: number
  }
}

export const adminRoutes: AdminRoutes = {
  createOwnerKey: {
    path: '/keys',
    input: z.strictObject({}),
    output: ownerKeySchema,
    failed: 'create an owner key',
  },
  createPersonLink: {
    path: '/people',
    input: personLinkInput,
    output: personLinkSchema,
    failed: 'create a link',
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
    failed: 'scan the stored files',
    timeoutMs: 60 * 60_000,
  },
  acceptClock: {
    path: '/clock',
    input: z.strictObject({}),
    output: acceptedClockSchema,
    failed: 'accept the clock',
  },
  holdCollection: {
    path: '/hold',
    input: holdSchema,
    output: heldSchema,
    failed: 'hold the collection of files',
  },
  copyDatabase: {
    path: '/database/copy',
    input: z.strictObject({}),
    output: databaseCopySchema,
    failed: 'copy the database',
    timeoutMs: 60 * 60_000,
  },
}

export const adminRequests = Object.keys(adminRoutes) as AdminRequest[]

export type AdminHandlers = { [R in AdminRequest]: (input: AdminInput<R>) => Promise<AdminOutput<R>> }

/**
 * The path of the node's socket, relative to `cwd` if the absolute one is too long for a socket.
 * @throws SettingsError when both are.
 */
export function adminSocketPath(directory: string, cwd = process.cwd()): string {
  return socketPath(directory, 'admin.sock', cwd)
}
