/** Asks the node that runs on a data directory for what only the machine's owner may have. */
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { z } from 'zod'
import {
  adminErrorSchema,
  adminSocketPath,
  type OwnerKey,
  ownerKeyPath,
  ownerKeySchema,
  type TeamPlan,
  teamPlanPath,
  teamPlanSchema,
} from '../../data-dir/admin-protocol.ts'
import { hasCode } from '../../data-dir/read-if-any.ts'

/** Nobody listens on the data directory's socket: its node is starting or stopping, or there is none. */
export class NoAdminSocketError extends Error {}

type Limits = { timeoutMs?: number }

/**
 * A new owner key from the node that has `directory`.
 * @throws as `askNode` does.
 */
export function requestOwnerKey(directory: string, limits: Limits = {}): Promise<OwnerKey> {
  return askNode(directory, { path: ownerKeyPath, answer: ownerKeySchema, ...limits })
}

/**
 * Has the node that has `directory` set a team's plan.
 * @throws as `askNode` does.
 */
export function requestPlan(directory: string, change: TeamPlan, limits: Limits = {}): Promise<TeamPlan> {
  return askNode(directory, { path: teamPlanPath, body: change, answer: teamPlanSchema, ...limits })
}

/**
 * What the node answers to a request.
 * @throws NoAdminSocketError when no node listens, before anything was asked.
 * @throws Error with a sentence for the user when the node refuses, fails, or takes longer than `timeoutMs`.
 */
async function askNode<T>(
  directory: string,
  { answer, timeoutMs = 10_000, ...asked }: Limits & { path: string; body?: unknown; answer: z.ZodType<T> },
): Promise<T> {
  const { status, body } = await post(adminSocketPath(directory), asked, timeoutMs)
  const read = answer.safeParse(body)
  if (status === 200 && read.success) return read.data
  const refusal = adminErrorSchema.safeParse(body)
  throw new Error(
    refusal.data?.message ?? 'The running node gave an answer that this version does not understand.',
  )
}

async function post(
  socketPath: string,
  { path, body }: { path: string; body?: unknown },
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const sent = request({ socketPath, path, method: 'POST', signal, agent: false })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = await once(sent, 'response')
    if (!(response instanceof IncomingMessage)) throw new TypeError('not a response')
    return { status: response.statusCode ?? 0, body: await json(response) }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ECONNREFUSED')) {
      throw new NoAdminSocketError(
        `The data directory is in use, but no node listens on ${socketPath}: try again.`,
      )
    }
    const problem = signal.aborted
      ? `gave no answer within ${timeoutMs} ms`
      : 'broke off before its answer was complete'
    throw new Error(`The running node ${problem}: try again.`, { cause: error })
  }
}
