/** Sends administrator's requests to the node that runs on a data directory. */
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { hasCode } from '../../lib/has-code.ts'
import {
  type AdminInput,
  type AdminOutput,
  type AdminRequest,
  adminErrorSchema,
  adminRoutes,
  adminSocketPath,
} from '../../stores/data-dir/admin-protocol.ts'

/** Nothing listens on the data directory's socket: its node is starting or stopping, or none runs. */
export class NoAdminSocketError extends Error {}

/**
 * The response of the node that holds `directory`.
 * @throws NoAdminSocketError if no node listens; nothing was sent then.
 * @throws Error with a message for the user if the node refuses, fails, or exceeds `timeoutMs` or the size
 * limit.
 */
export async function requestNode<R extends AdminRequest>(
  directory: string,
  requested: R,
  input: AdminInput<R>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<AdminOutput<R>> {
  const route = adminRoutes[requested]
  const waitMs = timeoutMs ?? route.timeoutMs ?? 10_000
  const { status, body } = await post(adminSocketPath(directory), route.path, input, waitMs)
  const output = route.output.safeParse(body)
  if (status === 200 && output.success) return output.data
  const refusal = adminErrorSchema.safeParse(body)
  throw new Error(
    refusal.data?.message ?? 'The running node sent a response that this version does not understand.',
  )
}

async function post(
  socketPath: string,
  path: string,
  input: object,
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(socketPath, path, { input, signal })
    return { status: response.statusCode ?? 0, body: await json(response) }
  } catch (error) {
    if (error instanceof NoAdminSocketError) throw error
    const problem = signal.aborted
      ? `did not respond within ${timeoutMs} ms`
      : 'closed the connection before the response was complete'
    throw new Error(`The running node ${problem}: try again.`, { cause: error })
  }
}

/**
 * The node's response to a POST, once its head is there.
 * @throws NoAdminSocketError if no node listens.
 */
export async function send(
  socketPath: string,
  path: string,
  { input, signal }: { input: object; signal: AbortSignal },
): Promise<IncomingMessage> {
  try {
    const sent = request({ socketPath, path, method: 'POST', signal, agent: false }).end(
      JSON.stringify(input),
    )
    const [response] = await once(sent, 'response')
    if (response instanceof IncomingMessage) return response
    throw new TypeError('not a response')
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ECONNREFUSED')) throw error
    throw new NoAdminSocketError(
      `The data directory is in use, but no node listens on ${socketPath}: try again.`,
    )
  }
}
