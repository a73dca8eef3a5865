/** Uploads the files that the server lacks. */

import { refusalOf } from '../../lib/refusal'
import { type Sent, send } from '../../lib/send'
import { wait } from '../../lib/wait'
import type { HashedFile } from './hash-files'

type Options = { signal: AbortSignal; onSent: (bytes: number) => void }

/** As many connections as a browser opens to one server. */
const atATime = 6

const maxTries = 5
const firstWaitMs = 500

/** Uploads each file to its URL, by digest. @throws Refusal; the signal's reason when aborted. */
export async function uploadFiles(
  files: HashedFile[],
  urls: ReadonlyMap<string, string>,
  options: Options,
): Promise<void> {
  const waiting = [...files]
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const uploadNext = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      await upload(file, urls.get(file.sha256) ?? '', { ...options, signal })
    }
  }
  const lanes = Array.from({ length: atATime }, () =>
    uploadNext().catch((error: unknown) => {
      failed.abort(error)
      throw error
    }),
  )
  await Promise.all(lanes)
}

async function upload(file: HashedFile, url: string, { signal, onSent }: Options): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const headers = { 'content-type': 'application/octet-stream' }
    const outcome = await send({ method: 'PUT', url, headers, body: file.content, signal, onSent }).catch(
      (error: Error) => error,
    )
    signal.throwIfAborted()
    if (!(outcome instanceof Error) && outcome.status === 200) return
    if (tries === maxTries || !mayPass(outcome))
      throw refusalOf(outcome, `${file.path} could not be uploaded`)
    const afterMs = outcome instanceof Error ? undefined : outcome.retryAfterMs
    await wait(afterMs ?? firstWaitMs * 2 ** tries, signal)
  }
}

function mayPass(outcome: Sent | Error): boolean {
  return outcome instanceof Error || outcome.status >= 500 || [408, 429].includes(outcome.status)
}
