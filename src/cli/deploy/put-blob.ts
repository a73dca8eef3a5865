/** Sends one blob to its upload address, again after a failure that may pass. */
import { createReadStream, readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes } from '../exit-codes.ts'
import { Failure, failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'

/** A file to be sent as the blob that it was when its digest was computed. */
export type Upload = { absolute: string; path: string; size: number; url: string }

/**
 * How often a blob is sent before the command gives up, and the first wait in between, which doubles each time: a server
 * that is restarted has a quarter of a minute for that.
 */
const maxAttempts = 7
const firstWaitMs = 250

/** A server or network that has been silent for so long will not answer any more. */
const silenceMs = 60_000

/** Up to here, reading a file at once takes less than a stream would. */
const smallBytes = 256 * 1024

const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) }
const https = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) }

/**
 * Sends the file; resolves once the server says that its bytes are durable.
 * @throws Failure when the server refuses them, or stays away.
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

/** Resolves to 'done' or to why the server didn't take it; rejects when the connection or the reading of the file fails. */
function send({ absolute, size, url }: Upload, signal: AbortSignal): Promise<'done' | Refused> {
  return new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? https : http
    const headers = { 'content-type': 'application/octet-stream', 'content-length': size }
    const content = size <= smallBytes ? readFileSync(absolute) : createReadStream(absolute)
    // Of a file that has grown or shrunk since, the server tells that it isn't the one that was announced.
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
    outgoing.once('timeout', () => fail(new Error('The server has been silent for too long.')))
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
  // What is wrong with the file stays wrong.
  return !('path' in outcome)
}

function refusal({ path }: Upload, outcome: Refused | Error): Failure {
  if (
    !(outcome instanceof Error) &&
    ['digest_mismatch', 'size_mismatch', 'body_too_large'].includes(outcome.reason)
  ) {
    return failed(`${plain(path)} changed while it was sent. Deploy again.`)
  }
  if (outcome instanceof Error && 'path' in outcome) return failed(outcome.message, outcome)
  const why = outcome instanceof Error ? outcome.message : outcome.message || `status ${outcome.status}`
  return new Failure(exitCodes.unavailable, {
    reason: 'server_away',
    message: `${plain(path)} could not be sent (${plain(why)}). Deploy again: what has arrived is not sent twice.`,
  })
}
