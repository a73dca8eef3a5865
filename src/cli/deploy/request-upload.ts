/** One request that uploads a file. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { retryAfterMs } from '../../api/client/retry-after.ts'
import { isRecord } from '../../lib/is-record.ts'
import { resolveLocally } from '../../lib/net/resolve.ts'
import { createVettedLookup } from '../../lib/net/vetted-lookup.ts'
import { readUpTo } from '../connection/http-request.ts'
import type { Through } from '../connection/proxy/find-proxy.ts'
import type { HashedFile } from './hash-files.ts'
import { readHashed, streamHashed } from './read-hashed.ts'
import type { Direct } from './upload-places.ts'

/** Up to this size, reading a file at once is faster than streaming it. */
const smallBytes = 256 * 1024

/** How long an answer may take once it has begun, or the file has been sent. */
const answerMs = 5 * 60_000

/** More of an answer is of no use. */
const maxAnswerBytes = 64 * 1024

export type Agents = { http: HttpAgent; https: HttpsAgent }

/** Connections to the server itself. */
export const serverAgents: Agents = {
  http: new HttpAgent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
}

/**
 * Connections to those addresses that `isAllowed` lets through, judged when a name has been looked up for
 * one.
 */
export function createDirectAgents(isAllowed: (address: string) => boolean): Agents {
  const lookup = createVettedLookup(resolveLocally, isAllowed)
  const options = { keepAlive: true, autoSelectFamily: true, lookup }
  return { http: new HttpAgent(options), https: new HttpsAgent(options) }
}

/** Where a request goes, and how: with one of `agents`, or through a proxy. */
export type Target = Direct & { agents: Agents; silenceMs: number; through?: Through | undefined }

/** A refusal; `reason` is empty unless it is the API's. */
export type Refused = { status: number; retryAfterMs: number | undefined; reason: string; message: string }

/**
 * Resolves to 'done' or to the server's refusal; rejects if the connection fails, and with a Failure, before
 * all of it is sent, for a file that isn't what it was when its digest was computed.
 */
export function sendUpload(
  file: HashedFile,
  { url, headers: given, agents, silenceMs: timeout, through }: Target,
  signal: AbortSignal,
): Promise<'done' | Refused> {
  return new Promise((resolve, reject) => {
    const isEncrypted = url.startsWith('https:')
    const request = isEncrypted ? httpsRequest : httpRequest
    const content = file.size <= smallBytes ? readHashed(file) : streamHashed(file)
    const headers = {
      'content-type': 'application/octet-stream',
      ...given,
      'content-length': file.size,
    }
    const options = { method: 'PUT', headers, signal, timeout }
    const outgoing = through
      ? through.requestThrough(through.proxy, url, options)
      : request(url, { ...options, agent: isEncrypted ? agents.https : agents.http })
    const deadline = startDeadline(() => fail(new Error('The server did not finish its response.')))
    const end = () => {
      deadline.end()
      if (!Buffer.isBuffer(content)) content.destroy()
    }
    const fail = (error: Error) => {
      end()
      outgoing.destroy()
      reject(through?.problemOf(through.proxy, url, error) ?? error)
    }
    outgoing.once('timeout', () => fail(new Error('The server stopped responding.')))
    outgoing.once('error', fail)
    outgoing.once('finish', deadline.begin)
    outgoing.once('response', (incoming) => {
      deadline.begin()
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

/** Runs `act` some minutes after it has begun, unless it is ended. */
function startDeadline(act: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  return {
    begin: () => {
      if (!isOver) timer ??= setTimeout(act, answerMs).unref()
    },
    end: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

async function readResponse(incoming: IncomingMessage): Promise<'done' | Refused> {
  const body = await readUpTo(incoming, maxAnswerBytes)
  const status = incoming.statusCode ?? 0
  if (status === 200) return 'done'
  const headers = { get: (name: string) => incoming.headers[name]?.toString() ?? null }
  const after = retryAfterMs({ status, headers }, Date.now())
  return { status, retryAfterMs: after, ...parseRefusal(body.toString('utf8')) }
}

function parseRefusal(text: string): { reason: string; message: string } {
  try {
    const said: unknown = JSON.parse(text)
    const { reason, message } = isRecord(said) ? said : {}
    return { reason: textOf(reason), message: textOf(message) }
  } catch {
    return { reason: '', message: '' }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
