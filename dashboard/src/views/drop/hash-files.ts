/** The SHA-256 digests of a site's files. */
import { Refusal } from '../../lib/refusal'
import type { HashMessage } from './hash-messages'
import type { SiteFile } from './site-files'

export type HashedFile = { path: string; size: number; sha256: string; content: File }

/** The digests of files that were hashed before, so that a deployment that is resumed reads none twice. */
const known = new WeakMap<File, string>()

type Options = { signal: AbortSignal; onRead: (bytes: number) => void }

/** @throws Refusal that names the file that can't be read; the signal's reason when aborted. */
export async function hashFiles(files: SiteFile[], { signal, onRead }: Options): Promise<HashedFile[]> {
  signal.throwIfAborted()
  const unknown = files.filter(({ content }) => !known.has(content))
  for (const { content } of files) if (known.has(content)) onRead(content.size)
  if (unknown.length > 0) await hashInWorker(unknown, { signal, onRead })
  return files.map(({ path, content }) => ({
    path,
    size: content.size,
    sha256: known.get(content) ?? '',
    content,
  }))
}

function hashInWorker(files: SiteFile[], { signal, onRead }: Options): Promise<void> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  let left = files.length
  const hashed = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('error', () =>
      reject(new Refusal('The files could not be read. Reload the page.')),
    )
    worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
      if (data.kind === 'read') {
        onRead(data.bytes)
        return
      }
      const file = files[data.at]
      if (data.kind === 'unreadable')
        reject(new Refusal(`${file?.path} can't be read. Was it moved or changed?`))
      else if (file) known.set(file.content, data.sha256)
      left -= 1
      if (left === 0) resolve()
    })
    worker.postMessage(files.map(({ content }) => content))
  })
  return hashed.finally(() => worker.terminate())
}
