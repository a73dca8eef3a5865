/** Asks the node that runs on a data directory for what only the machine's owner may have. */
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  adminErrorSchema,
  adminSocketPath,
  type OwnerKey,
  ownerKeyPath,
  ownerKeySchema,
} from '../../data-dir/admin-protocol.ts'
import { hasCode } from '../../data-dir/read-if-any.ts'

/** Nobody listens on the data directory's socket: its node is starting or stopping, or there is none. */
export class NoAdminSocketError extends Error {}

/**
 * A new owner key from the node that has `directory`.
 * @throws NoAdminSocketError when no node listens, before anything was asked.
 * @throws Error with a sentence for the user when the node refuses, fails, or takes longer than `timeoutMs`.
 */
export async function requestOwnerKey(
  directory: string,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<OwnerKey> {
  const { status, body } = await post(adminSocketPath(directory), ownerKeyPath, timeoutMs)
  const key = ownerKeySchema.safeParse(body)
  if (status === 200 && key.success) return key.data
  const refusal = adminErrorSchema.safeParse(body)
  throw new Error(
    refusal.data?.message ?? 'The running node gave an answer that this version does not understand.',
  )
}

async function post(
  socketPath: string,
  path: string,
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const sent = request({ socketPath, path, method: 'POST', signal, agent: false }).end()
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
