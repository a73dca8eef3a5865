/** Uploads one blob, with retries. */
import { createReadStream, readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes } from '../exit-codes.ts'
import { Failure, failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'

/** A file to upload, with the digest computed before. */
export type Upload = { absolute: string; path: string; size: number; url: string }

/**
 * The number of attempts, and the first wait, which doubles each time: a server has a quarter of a minute to
 * restart.
 */
const maxAttempts = 7
const firstWaitMs = 250

/** After this much silence a server or network counts as gone. */
const silenceMs = 60_000

/** Up to this size, reading a file at once is faster than streaming it. */
const smallBytes = 256 * 1024

const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) }
const https = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) }

/**
 * Uploads the file; resolves once the server confirms that it is durable.
 * @throws Failure if the server refuses it, or stays unreachable.
 */
export async function putBlob(upload: Upload, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    const outcome = await send(upload, signal).catch((error: Error) => error)
    signal.throwIfAborted()
    if (outcome === 'done') return
    if (attempt === maxAttempts || !mayPass(outcome)) throw refusal(upload, outcome)
    const waitMs = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random())
    const askedMs = outcome instanceof Error ? 0 : outcome.retryAfterMs
    await sleep(Math.max(waitMs, askedMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

type Refused = { status: number; retryAfterMs: number; reason: string; message: string }

/** Resolves to 'done' or to the server's refusal; rejects if the connection or reading the file fails. */
function send({ absolute, size, url }: Upload, signal: AbortSignal): Promise<'done' | Refused> {
  return new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? https : http
    const headers = { 'content-type': 'application/octet-stream', 'content-length': size }
    const content = size <= smallBytes ? readFileSync(absolute) : createReadStream(absolute)
    // If the file has grown or shrunk since, the server refuses it for its size or digest.
    if (Buffer.isBuffer(content)) headers['content-length'] = content.length
    const outgoing = request(url, { method: 'PUT', agent, headers, signal, timeout: silenceMs })
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
  const retryAfterMs = Number(incoming.headers['retry-after'] ?? 0) * 1_000 || 0
  return { status, retryAfterMs, ...parseRefusal(Buffer.concat(chunks).toString('utf8')) }
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
