/** Uploads one blob, with retries: it is named by its digest, and safe to send again. */
import { createReadStream, readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextWaitMs } from '../../client/next-wait.ts'
import { retryAfterMs } from '../../client/retry-after.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'

/** A file to upload, with the digest computed before. */
export type Upload = { absolute: string; path: string; size: number; url: string }

/** After this much silence a server or network counts as gone. */
const silenceMs = 60_000

/** The same for a place that another can stand in for. */
const shortSilenceMs = 5_000

/** Up to this size, reading a file at once is faster than streaming it. */
const smallBytes = 256 * 1024

const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) }
const https = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) }

/**
 * Uploads the file; resolves once the server confirms that it is durable.
 * @throws Failure if the server refuses it, or stays unreachable.
 */
export async function putBlob(upload: Upload, signal: AbortSignal): Promise<void> {
  let waitedMs = 0
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted()
    const outcome = await send(upload, signal, silenceMs).catch((error: Error) => error)
    signal.throwIfAborted()
    if (outcome === 'done') return
    const after = outcome instanceof Error ? undefined : outcome.retryAfterMs
    // It has responded to the call that returned the address.
    const tried = { attempts, waitedMs, isKnown: true, retryAfterMs: after }
    const waitMs = mayPass(outcome) ? nextWaitMs(tried, Math.random()) : undefined
    if (waitMs === undefined) throw refusal(upload, outcome)
    waitedMs += waitMs
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Uploads the file to a place that may not be reachable, with `headers`; false unless it arrived. */
export async function tryBlob(
  upload: Upload,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<boolean> {
  const outcome = await send(upload, signal, shortSilenceMs, headers).catch((error: Error) => error)
  signal.throwIfAborted()
  return outcome === 'done'
}

type Refused = { status: number; retryAfterMs: number | undefined; reason: string; message: string }

/** Resolves to 'done' or to the server's refusal; rejects if the connection or reading the file fails. */
function send(
  { absolute, size, url }: Upload,
  signal: AbortSignal,
  timeout: number,
  more: Record<string, string> = {},
): Promise<'done' | Refused> {
  return new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? https : http
    const headers = { ...more, 'content-type': 'application/octet-stream', 'content-length': size }
    const content = size <= smallBytes ? readFileSync(absolute) : createReadStream(absolute)
    // If the file has grown or shrunk since, the server refuses it for its size or digest.
    if (Buffer.isBuffer(content)) headers['content-length'] = content.length
    const outgoing = request(url, { method: 'PUT', agent, headers, signal, timeout })
    const end = () => {
      if (!Buffer.isBuffer(content)) content.destroy()
    }
    const fail = (error: Error) => {
      end()
      outgoing.destroy()
      reject(error)
    }
    outgoing.once('timeout', () => fail(new Error('The server stopped responding.')))
    outgoing.once('error', fail)
    outgoing.once('response', (incoming) => {
      readResponse(incoming).then((answer) => {
        // A refusal may come before everything was sent.
        end()
        if (answer !== 'done') outgoing.destroy()
        resolve(answer)
      }, fail)
    })
    if (Buffer.isBuffer(content)) outgoing.end(content)
    else content.once('error', fail).pipe(outgoing)
  })
}

async function readResponse(incoming: IncomingMessage): Promise<'done' | Refused> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const status = incoming.statusCode ?? 0
  if (status === 200) return 'done'
  const headers = { get: (name: string) => incoming.headers[name]?.toString() ?? null }
  const after = retryAfterMs({ status, headers }, Date.now())
  return { status, retryAfterMs: after, ...parseRefusal(Buffer.concat(chunks).toString('utf8')) }
}

function parseRefusal(text: string): { reason: string; message: string } {
  try {
    const { reason, message } = JSON.parse(text)
    return { reason: String(reason), message: String(message) }
  } catch {
    return { reason: '', message: '' }
  }
}

function mayPass(outcome: Refused | Error): boolean {
  if (!(outcome instanceof Error)) return outcome.status >= 500 || [408, 429].includes(outcome.status)
  // Errors of the file are not retried.
  return !('path' in outcome)
}

function refusal({ path }: Upload, outcome: Refused | Error): Failure {
  if (
    !(outcome instanceof Error) &&
    ['digest_mismatch', 'size_mismatch', 'body_too_large'].includes(outcome.reason)
  ) {
    return failed(`${plain(path)} changed during the upload. Deploy again.`)
  }
  if (outcome instanceof Error && 'path' in outcome) return failed(outcome.message, outcome)
  const why = outcome instanceof Error ? outcome.message : outcome.message || `status ${outcome.status}`
  return new Failure(exitCodes.unavailable, {
    reason: 'server_away',
    message: `${plain(path)} could not be uploaded (${plain(why)}). Deploy again: uploaded files are not sent twice.`,
  })
}
