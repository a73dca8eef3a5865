/** Answers a request of the administrator with a stream of lines, as fast as they are read. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log/logger.ts'
import type { CheckEvent, StreamLine } from '../../stores/data-dir/admin-streams.ts'

/**
 * Sends the events until the last one, and how they ended. Stops when the client goes away. Never rejects.
 * `failed` completes "The node failed to …".
 */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncGenerator<CheckEvent>,
  { failed, log }: { failed: string; log: Logger },
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const send = async (line: StreamLine) => {
    if (response.write(`${JSON.stringify(line)}\n`)) return
    await once(response, 'drain', { signal: gone.signal })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
  try {
    for await (const event of events) {
      if (gone.signal.aborted) return
      await send({ event })
    }
    await send({ ended: true })
  } catch (error) {
    if (gone.signal.aborted) return
    if (!(error instanceof AppError)) log.error({ err: error }, 'admin request failed')
    const message = error instanceof AppError ? error.message : `The node failed to ${failed}; see its log.`
    response.write(`${JSON.stringify({ message } satisfies StreamLine)}\n`)
  } finally {
    response.end()
  }
}
