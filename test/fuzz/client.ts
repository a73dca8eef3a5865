/** Sends calls over connections that stay open, and gives up on one that hangs. */
import { Pool } from 'undici'
import { patienceMs } from '../support/eventually.ts'
import type { Sent } from './calls.ts'

export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The parsed text, if it is JSON. */
  body: unknown
  tookMs: number
}

export type Client = { send(sent: Sent): Promise<Answer>; close(): Promise<void> }

export function openClient(origin: string, connections = 64): Client {
  const pool = new Pool(origin, { connections, headersTimeout: patienceMs, bodyTimeout: patienceMs })
  return {
    async send({ method, path, headers, body }) {
      const startedMs = performance.now()
      const answer = await pool.request({ method, path, headers, body: body ?? null })
      const text = isEventStream(answer.headers) ? await firstChunk(answer.body) : await answer.body.text()
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text,
        body: parse(text),
        tookMs: performance.now() - startedMs,
      }
    },
    close: () => pool.close(),
  }
}

/** Whether the response is a stream of server-sent events, which has no end. */
export function isEventStream({ 'content-type': type }: Answer['headers']): boolean {
  return String(type).startsWith('text/event-stream')
}

/** Closes the connection, too. */
async function firstChunk(body: AsyncIterable<Buffer>): Promise<string> {
  for await (const chunk of body) return chunk.toString()
  return ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
