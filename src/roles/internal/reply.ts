/** Text responses of the internal port. */
import type { ServerResponse } from 'node:http'

export type Reply = { status: number; text: string; headers?: Record<string, string> }

/** Sends a response that is not cacheable. */
export function sendReply(res: ServerResponse, { status, text, headers }: Reply): void {
  const body = `${text}\n`
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...headers,
  })
  res.end(body)
}
