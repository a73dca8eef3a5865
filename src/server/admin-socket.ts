/** The socket in the data directory on which the running node answers the owner of the machine. */
import { chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type AdminHandlers,
  type AdminRequest,
  adminRequests,
  adminRoutes,
  adminSocketPath,
} from '../data-dir/admin-protocol.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { readBody } from './http/read-body.ts'

export type AdminSocket = {
  /** Stops listening, and removes the socket, when the requests under way are answered or their time is up. */
  close(): Promise<void>
}

type Options = {
  /** The data directory; this process must hold its lock. */
  directory: string
  handlers: AdminHandlers
  log: Logger
  /** How long `close` waits for requests under way. */
  closeMs?: number
}

/**
 * Listens on `admin.sock` of the data directory, mode 0600. Whoever may connect is the owner: there is no other check.
 * @throws SettingsError when the path is too long for a socket; else rejects as listening does.
 */
export async function listenAdmin({
  directory,
  handlers,
  log,
  closeMs = 1000,
}: Options): Promise<AdminSocket> {
  const path = adminSocketPath(directory)
  const server = createServer((request, response) => {
    answer(request, handlers, log).then(({ status, body }) => send(response, status, body))
  })
  // With the lock held, a socket that is there already was left by a process that died.
  await rm(path, { force: true })
  try {
    await listen(server, path)
  } catch (error) {
    server.close()
    throw error
  }
  // Such as a connection that can't be accepted for want of file descriptors.
  server.on('error', (error) => log.error({ err: error }, 'admin socket failed'))
  return { close: () => close(server, closeMs) }
}

const maxBytes = 64 * 1024
const bodyTimeoutMs = 5_000

type AdminResponse = { status: number; body: unknown }

async function answer(
  request: IncomingMessage,
  handlers: AdminHandlers,
  log: Logger,
): Promise<AdminResponse> {
  const asked = adminRequests.find((name) => adminRoutes[name].path === request.url)
  if (request.method !== 'POST' || !asked) return refusal(404, 'There is no such admin request.')
  let input: unknown
  try {
    input = JSON.parse((await readBody(request, { maxBytes, timeoutMs: bodyTimeoutMs })).toString() || '{}')
  } catch {
    return refusal(400, 'The body is not JSON.')
  }
  try {
    return await run(asked, input, handlers)
  } catch (error) {
    if (error instanceof AppError) return refusal(400, error.message)
    log.error({ err: error }, 'admin request failed')
    return refusal(500, `The node failed to ${adminRoutes[asked].failed}; its log tells why.`)
  }
}

async function run<R extends AdminRequest>(
  asked: R,
  body: unknown,
  handlers: AdminHandlers,
): Promise<AdminResponse> {
  const route = adminRoutes[asked]
  const input = route.input.safeParse(body)
  if (!input.success) return refusal(400, 'The node is of another version than the command.')
  return { status: 200, body: route.output.parse(await handlers[asked](input.data)) }
}

function refusal(status: number, message: string): AdminResponse {
  return { status, body: { message } }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(`${JSON.stringify(body)}\n`)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
    // The socket exists as soon as `listen` returns. A umask would do without this moment but affect files that other
    // threads make meanwhile.
    if (server.listening) chmodSync(path, 0o600)
  })
}

function close(server: Server, closeMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), closeMs)
    // Its only error is that the server was closed before.
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
