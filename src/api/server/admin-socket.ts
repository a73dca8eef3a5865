/** The socket in the data directory that serves the owner of the machine. */
import { chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log/logger.ts'
import {
  type AdminHandlers,
  type AdminRequest,
  adminRequests,
  adminRoutes,
  adminSocketPath,
} from '../../stores/data-dir/admin-protocol.ts'
import { type CheckHandler, checkStream } from '../../stores/data-dir/admin-streams.ts'
import { sendEvents } from './admin-stream.ts'
import { readBody } from './http/read-body.ts'

export type AdminSocket = {
  /** Stops listening, and removes the socket, once running requests are answered or the time is up. */
  close(): Promise<void>
}

type Options = {
  /** The data directory; this process must hold its lock. */
  directory: string
  handlers: AdminHandlers
  check: CheckHandler
  log: Logger
  /** How long `close` waits for running requests. */
  closeMs?: number
}

/**
 * Listens on `admin.sock` of the data directory, mode 0600: the file's permissions are the only check.
 * @throws SettingsError when the path is too long for a socket; other errors of `listen`.
 */
export async function listenAdmin({
  directory,
  handlers,
  check,
  log,
  closeMs = 1000,
}: Options): Promise<AdminSocket> {
  const path = adminSocketPath(directory)
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === checkStream.path)
      void answerCheck(request, response, { check, log })
    else answer(request, handlers, log).then(({ status, body }) => send(response, status, body))
  })
  // This process holds the lock, so an existing socket was left by a process that died.
  await rm(path, { force: true })
  try {
    await listen(server, path)
  } catch (error) {
    server.close()
    throw error
  }
  // For example when no file descriptor is left for a connection.
  server.on('error', (error) => log.error({ err: error }, 'admin socket failed'))
  return { close: () => close(server, closeMs) }
}

const maxBytes = 64 * 1024
const bodyTimeoutMs = 5_000

const otherVersion = 'The node and the command have different versions.'

type AdminResponse = { status: number; body: unknown }

async function answerCheck(
  request: IncomingMessage,
  response: ServerResponse,
  { check, log }: Pick<Options, 'check' | 'log'>,
): Promise<void> {
  const input = checkStream.input.safeParse(await readInput(request))
  if (!input.success) send(response, 400, { message: otherVersion })
  else await sendEvents(response, check(input.data), { failed: checkStream.failed, log })
}

/** The JSON body of a request; undefined if it is none. */
async function readInput(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBody(request, { maxBytes, timeoutMs: bodyTimeoutMs })).toString() || '{}')
  } catch {
    return undefined
  }
}

async function answer(
  request: IncomingMessage,
  handlers: AdminHandlers,
  log: Logger,
): Promise<AdminResponse> {
  const requested = adminRequests.find((name) => adminRoutes[name].path === request.url)
  if (request.method !== 'POST' || !requested) return refusal(404, 'Unknown admin request.')
  const input = await readInput(request)
  if (input === undefined) return refusal(400, 'The body is not JSON.')
  try {
    return await run(requested, input, handlers)
  } catch (error) {
    if (error instanceof AppError) return refusal(400, error.message)
    log.error({ err: error }, 'admin request failed')
    return refusal(500, `The node failed to ${adminRoutes[requested].failed}; see its log.`)
  }
}

async function run<R extends AdminRequest>(
  requested: R,
  body: unknown,
  handlers: AdminHandlers,
): Promise<AdminResponse> {
  const route = adminRoutes[requested]
  const input = route.input.safeParse(body)
  if (!input.success) return refusal(400, otherVersion)
  return { status: 200, body: route.output.parse(await handlers[requested](input.data)) }
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
    // The socket exists as soon as `listen` returns. A umask would avoid this moment, but affect files that
    // other threads create meanwhile.
    if (server.listening) chmodSync(path, 0o600)
  })
}

function close(server: Server, closeMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), closeMs)
    // Its only error: the server was closed before.
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
