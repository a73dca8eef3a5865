/** Checks every response that the suite receives against the OpenAPI document, whatever the client. */
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { type Contract, createContract, type Exchange } from './contract.ts'

let contract: Promise<Contract> | undefined
const problems: string[] = []
/** The checks of responses that are still running. */
const underWay = new Set<Promise<void>>()

/** Returns the violations found since the last call. */
export async function takeProblems(): Promise<string[]> {
  while (underWay.size > 0) await Promise.all(underWay)
  return problems.splice(0)
}

/** Checks a response, unless it is outside the REST API. */
function look(exchange: Exchange): void {
  if (!exchange.url.startsWith('/v1/') || exchange.method === 'OPTIONS') return
  const looking = judge(exchange).finally(() => underWay.delete(looking))
  underWay.add(looking)
}

async function judge(exchange: Exchange): Promise<void> {
  contract ??= readContract()
  const { method, url, status, text } = exchange
  const found = (await contract)(exchange)
  if (found.length === 0) return
  problems.push(`${method} ${url} answered ${status} ${text.slice(0, 2_000)}: ${found.join(' ')}`)
}

/** Loaded with the first response: most tests of single functions need no part of the server. */
async function readContract(): Promise<Contract> {
  const { createOpenApiDocument } = await import('../../src/api/server/openapi/document.ts')
  return createContract(JSON.parse(JSON.stringify(createOpenApiDocument('http://localhost', 'test'))))
}

let watches = false

/** Checks, from now on, each response of all API servers in this process. */
export function watchServers(): void {
  if (watches) return
  watches = true
  subscribe('fastify.initialization', (message) => {
    if (isInitialization(message)) watchServer(message.fastify)
  })
}

function isInitialization(message: unknown): message is { fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message
}

function watchServer(app: FastifyInstance): void {
  const texts = new WeakMap<object, string>()
  app.addHook('onSend', (request, _reply, payload, done) => {
    texts.set(request, typeof payload === 'string' ? payload : '')
    done()
  })
  // By then the response is complete.
  app.addHook('onResponse', (request, reply, done) => {
    const text = texts.get(request)
    const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])
    // The client went away before there was a response.
    if (text !== undefined) {
      look({
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        headers: Object.fromEntries(headers),
        text,
      })
    }
    done()
  })
}

const watched = new Set<string>()

/**
 * Checks, from now on, each response that `fetch` in this process receives from another process's API at
 * `apiUrl`.
 */
export function watchAnswersOf(apiUrl: string): void {
  if (watched.size === 0) {
    const send = globalThis.fetch
    globalThis.fetch = async (input, init) => {
      const response = await send(input, init)
      const { origin, pathname: url } = new URL(response.url)
      if (watched.has(origin)) {
        const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
        lookAt(response.clone(), { method, url })
      }
      return response
    }
  }
  watched.add(new URL(apiUrl).origin)
}

function lookAt(response: Response, request: { method: string; url: string }): void {
  const { status, headers } = response
  const looking = response
    .text()
    .then((text) => look({ ...request, status, headers: Object.fromEntries(headers), text }))
    // The connection broke off: there is no whole response to check.
    .catch(() => {})
    .finally(() => underWay.delete(looking))
  underWay.add(looking)
}
