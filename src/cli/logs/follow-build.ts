/** Follows the output of a running build. */
import type { RouterOutputs } from '../../api/client/index.ts'
import type { Api } from '../connection/connect.ts'
import { everyPage } from '../connection/every-page.ts'
import { isBefore, type LogLine } from './follow-lines.ts'
import { patiently } from './patiently.ts'

type Deployment = RouterOutputs['deployments']['get']

const perPage = 100

type Watcher = { write: (line: LogLine) => void; onLook: (deployment: Deployment) => void }

/**
 * Passes each line of a deployment's build to `write`, in order and once, and each state polled to `onLook`,
 * until it has ended; resolves to the final deployment. Retries while the server is unavailable.
 */
export async function followBuild(
  { api, signal }: { api: Api; signal: AbortSignal },
  deployment: string,
  { write, onLook }: Watcher,
): Promise<Deployment> {
  const lines = { kind: 'build', deployment, limit: perPage } as const
  let from: { cursor?: string } = {}
  let last: LogLine | undefined

  async function writeSettled(): Promise<void> {
    for (;;) {
      const query = { ...lines, ...from, order: 'asc' } as const
      const { data, next_cursor: cursor } = await patiently(
        (once) => api.observability.logs.query(query, once),
        {
          signal,
        },
      )
      for (const line of data) write(line)
      last = data.at(-1) ?? last
      if (cursor !== null) from = { cursor }
      if (data.length < perPage) return
    }
  }

  /** Newest first nothing is withheld, and an ended deployment gets no more lines. */
  async function writeRest(): Promise<void> {
    const rest: LogLine[] = []
    const pages = everyPage((cursor) =>
      patiently((once) => api.observability.logs.query({ ...lines, ...cursor }, once), { signal }),
    )
    for await (const line of pages) {
      if (last && !isBefore(last, line)) break
      rest.push(line)
    }
    for (const line of rest.reverse()) write(line)
  }

  for (;;) {
    const found = await patiently((once) => api.deployments.get.query({ deployment, wait_s: 1 }, once), {
      signal,
    })
    if (found.state !== 'queued' && found.state !== 'building') {
      await writeRest()
      return found
    }
    onLook(found)
    await writeSettled()
  }
}
