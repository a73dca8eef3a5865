/** Makes new directory entries durable; concurrent callers share one fsync. */
import { open } from 'node:fs/promises'

const running = new Map<string, Promise<void>>()
const waiting = new Map<string, Promise<void>>()

/**
 * Resolves when every entry in `directory` at the time of the call would survive a power failure. A running
 * sync may have begun too early, so the caller joins the next one.
 */
export function syncDirectory(directory: string): Promise<void> {
  const current = running.get(directory)
  if (!current) return begin(directory)
  const next = waiting.get(directory)
  if (next) return next
  const promise = current
    .catch(() => {})
    .then(() => {
      waiting.delete(directory)
      return begin(directory)
    })
  waiting.set(directory, promise)
  return promise
}

function begin(directory: string): Promise<void> {
  const promise = sync(directory).finally(() => {
    if (running.get(directory) === promise) running.delete(directory)
  })
  running.set(directory, promise)
  return promise
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
