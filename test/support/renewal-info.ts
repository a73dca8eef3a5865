/**
 * Puts renewal information (ARI, RFC 9773) and CAA identities, which Debian's pebble lacks, in front of it.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { selfSignedFiles } from '../../src/lib/tls/self-signed.ts'

type Window = { startMs: number; endMs: number }

export type RenewalInfoServer = {
  directoryUrl: string
  /** In its directory. */
  caaIdentities: string[]
  /** What it responds for every certificate; undefined: 503. */
  window: Window | undefined
  /** The paths at which neither it nor the authority can be reached. */
  away: RegExp | undefined
  /**
   * The paths whose requests are refused, with a status and a type of problem of ACME, and for how many
   * seconds.
   */
  refused: { path: RegExp; status: number; type: string; retryAfter?: number; detail?: string } | undefined
  /** How many requests were refused. */
  refusals: number
  /** The ids of certificates that were requested. */
  requested: string[]
  /** What orders said they replace; undefined for none. */
  replaced: (string | undefined)[]
  close(): Promise<void>
}

const jwsSchema = z.object({ payload: z.string() })
const directorySchema = z.looseObject({ meta: z.record(z.string(), z.unknown()).optional() })
const orderSchema = z.object({ replaces: z.string().optional() })

/** `directory` has the certificate of pebble, which is the one of this, too. */
export async function startRenewalInfo(pebbleUrl: string, directory: string): Promise<RenewalInfoServer> {
  const files = selfSignedFiles(directory)
  const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)])
  const own: RenewalInfoServer = {
    directoryUrl: '',
    caaIdentities: [],
    window: undefined,
    away: undefined,
    refused: undefined,
    refusals: 0,
    requested: [],
    replaced: [],
    close: async () => {},
  }

  async function pass(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
    const { hostname, port } = new URL(pebbleUrl)
    // With the host of the request, from which pebble makes its addresses.
    const sent = request({
      hostname,
      port,
      ca: cert,
      method: req.method,
      path: req.url,
      headers: req.headers,
    })
    const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage]
    const bytes = await buffer(response)
    const text = req.url === '/dir' ? directoryWith(bytes, `https://${req.headers.host}`) : bytes
    const { 'content-length': _, ...headers } = response.headers
    res.writeHead(response.statusCode ?? 500, headers).end(text)
  }

  function directoryWith(bytes: Buffer, origin: string): string {
    const { meta, ...addresses } = directorySchema.parse(JSON.parse(bytes.toString()))
    const renewalInfo = `${origin}/renewal-info`
    return JSON.stringify({ ...addresses, renewalInfo, meta: { ...meta, caaIdentities: own.caaIdentities } })
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? ''
    if (own.away?.test(path)) {
      req.socket.destroy()
      return
    }
    const body = await buffer(req)
    if (own.refused?.path.test(path)) {
      const { status, type, retryAfter, detail = `Refused: ${type}.` } = own.refused
      own.refusals += 1
      res.writeHead(status, {
        'content-type': 'application/problem+json',
        ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
      })
      res.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail }))
      return
    }
    const [, id] = /^\/renewal-info\/(.+)$/.exec(path) ?? []
    if (id === undefined) {
      if (path === '/order-plz') own.replaced.push(replacesIn(body))
      return pass(req, res, body)
    }
    own.requested.push(id)
    if (!own.window) {
      res.writeHead(503).end()
      return
    }
    const [start, end] = [own.window.startMs, own.window.endMs].map((ms) => new Date(ms).toISOString())
    res.writeHead(200, { 'content-type': 'application/json', 'retry-after': '21600' })
    res.end(JSON.stringify({ suggestedWindow: { start, end } }))
  }

  const server = createServer({ cert, key }, (req, res) => {
    handle(req, res).catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  own.directoryUrl = `https://localhost:${port}/dir`
  own.close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return own
}

function replacesIn(body: Buffer): string | undefined {
  const { payload } = jwsSchema.parse(JSON.parse(body.toString()))
  return orderSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString())).replaces
}
