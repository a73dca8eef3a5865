/** The socket in the data directory on which the owner of the machine asks the running node for what only they may. */
import { chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { z } from 'zod'
import {
  adminSocketPath,
  type OwnerKey,
  ownerKeyPath,
  ownerKeySchema,
  type TeamPlan,
  teamPlanPath,
  teamPlanSchema,
} from '../data-dir/admin-protocol.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'

export type AdminHandlers = {
  createOwnerKey(): Promise<OwnerKey>
  setPlan(change: TeamPlan): Promise<TeamPlan>
}

type AdminRequest = {
  /** Completes "The node failed to …". */
  what: string
  run: (handlers: AdminHandlers, body: () => Promise<unknown>) => Promise<unknown>
}

/** What can be asked for, by its path. */
const requests = new Map<string | undefined, AdminRequest>([
  [
    ownerKeyPath,
    {
      what: 'make an owner key',
      run: async (handlers) => ownerKeySchema.parse(await handlers.createOwnerKey()),
    },
  ],
  [
    teamPlanPath,
    {
      what: 'set the plan',
      run: async (handlers, body) =>
        teamPlanSchema.parse(await handlers.setPlan(readAs(teamPlanSchema, await body()))),
    },
  ],
])

const maxBodyBytes = 64 * 1024

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

type Answer = { status: number; body: unknown }

async function answer(request: IncomingMessage, handlers: AdminHandlers, log: Logger): Promise<Answer> {
  const known = request.method === 'POST' ? requests.get(request.url) : undefined
  if (!known) return { status: 404, body: { message: 'There is no such admin request.' } }
  try {
    return { status: 200, body: await known.run(handlers, () => readJson(request)) }
  } catch (error) {
    if (error instanceof AppError) return { status: 400, body: { message: error.message } }
    log.error({ err: error }, 'admin request failed')
    return { status: 500, body: { message: `The node failed to ${known.what}; its log tells why.` } }
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw notUnderstood()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw notUnderstood(cause)
  }
}

function readAs<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (!read.success) throw notUnderstood(read.error)
  return read.data
}

function notUnderstood(cause?: unknown): AppError {
  return new AppError(
    'invalid_input',
    'The running node does not understand this: it may be of another version.',
    {
      cause,
    },
  )
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
