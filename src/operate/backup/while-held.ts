/** Work during which no blob may be collected. */
import { holdMs } from '../../stores/blobs/hold-collection.ts'
import { BackupError } from './error.ts'

/** The hold on the collection of an installation's blobs (see blobs/hold-collection.ts). */
export type Hold = {
  begin(): Promise<void>
  /** Resolves to false if it has ended meanwhile. */
  extend(): Promise<boolean>
}

/** Often enough that a node may restart in between. */
const extendEveryMs = holdMs / 4

/**
 * Runs `work` under the hold, which then ends by itself. The signal given to `work` aborts with `signal`, and
 * when the hold is lost. @throws BackupError if it was lost before the end of the work: then blobs may be
 * missing in its result.
 */
export async function whileHeld<T>(
  hold: Hold,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await hold.begin()
  const lost = new AbortController()
  let extending = Promise.resolve()
  const extend = async () => {
    if (!(await hold.extend())) lost.abort(lostHold())
  }
  const timer = setInterval(() => {
    // A node that restarts doesn't respond for a moment; the last call tells whether the hold was lost.
    extending = extend().catch(() => {})
  }, extendEveryMs)
  try {
    const result = await work(AbortSignal.any([signal, lost.signal]))
    await extending
    await extend()
    lost.signal.throwIfAborted()
    return result
  } finally {
    clearInterval(timer)
    await extending
  }
}

function lostHold(): BackupError {
  return new BackupError(
    'For a minute the node or its database could not be reached, ' +
      'so files may have been removed meanwhile. Run the backup again: what it has copied is kept.',
  )
}
