/** Asks the node that runs on a data directory for what only the machine's owner may have. */
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  type AdminInput,
  type AdminOutput,
  type AdminRequest,
  adminErrorSchema,
  adminRoutes,
  adminSocketPath,
} from '../../data-dir/admin-protocol.ts'
import { hasCode } from '../../data-dir/read-if-any.ts'

/** Nobody listens on the data directory's socket: its node is starting or stopping, or there is none. */
export class NoAdminSocketError extends Error {}

/**
 * What the node that has `directory` answers to a request.
 * @throws NoAdminSocketError when no node listens, before anything was asked.
 * @throws Error with a sentence for the user when the node refuses, fails, or takes longer than `timeoutMs`, or what such a request may take.
 */
export async function askNode<R extends AdminRequest>(
  directory: string,
  asked: R,
  input: AdminInput<R>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<AdminOutput<R>> {
  const route = adminRoutes[asked]
  const waitMs = timeoutMs ?? route.timeoutMs ?? 10_000
  const { status, body } = await post(adminSocketPath(directory), route.path, input, waitMs)
  const output = route.output.safeParse(body)
  if (status === 200 && output.success) return output.data
  const refusal = adminErrorSchema.safeParse(body)
  throw new Error(
    refusal.data?.message ?? 'The running node gave an answer that this version does not understand.',
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
    const sent = request({ socketPath, path, method: 'POST', signal, agent: false }).end(
      JSON.stringify(input),
    )
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
