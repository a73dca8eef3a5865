/** A file of the cache while its object arrives, with any number of readers behind the writer. */
import { type FileHandle, open } from 'node:fs/promises'
import type { DiskReserve } from '../../data-dir/disk-reserve.ts'
import { expectSize, type Part } from '../part.ts'
import { readRange } from '../stream-file.ts'

export type Filling = {
  /**
   * The part, or the whole object, as it arrives. Throws as the filling failed, and ObjectDamaged for one of
   * another length.
   */
  read(object: string, part?: Part): AsyncGenerator<Buffer>
  /** Resolves to the size of the whole object. Rejects as the source does, or with NotCached. */
  readonly ended: Promise<number>
  /** Closes the file once nobody reads it any more; call it once. */
  release(): void
}

/** The object can't be cached: the disk fails or is full, or it is too large. The source may have it. */
export class NotCached extends Error {}

/**
 * A range ends only once its object is known to be right, unless so much of that has arrived: then a visitor
 * would wait for too long.
 */
const heldBackBytes = 64 * 1024 * 1024

type Options = { maxBytes: number; disk: DiskReserve; signal: AbortSignal }

const whole = { start: 0, end: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY }

/**
 * Writes `source` to a new file at `path`. Nothing is synced: the content is verified again after a start.
 */
export function startFilling(
  path: string,
  source: AsyncIterable<Uint8Array>,
  { maxBytes, disk, signal }: Options,
): Filling {
  const opened = open(path, 'wx+', 0o600).catch(giveUp)
  let users = 1
  let written = 0
  const waiting: (() => void)[] = []
  const proceed = () => {
    for (const resume of waiting.splice(0)) resume()
  }

  async function fill(): Promise<number> {
    const file = await opened
    for await (const chunk of source) {
      signal.throwIfAborted()
      if (written + chunk.byteLength > maxBytes) throw new NotCached('The object is too large.')
      await disk.require().catch(giveUp)
      await writeAll(file, chunk).catch(giveUp)
      written += chunk.byteLength
      proceed()
    }
    return written
  }

  let isOver = false
  const ended = fill().finally(() => {
    isOver = true
    proceed()
  })
  // Whoever reads gets the error.
  ended.catch(() => {})

  /** Resolves to the bytes written, once they are more than `at` or are all. */
  async function reached(at: number): Promise<number> {
    while (written <= at && !isOver) await new Promise<void>((resolve) => waiting.push(resolve))
    return written > at ? written : ended
  }

  function release(): void {
    users -= 1
    if (users === 0) opened.then((file) => file.close()).catch(() => {})
  }

  return {
    ended,
    release,
    async *read(object, part) {
      users += 1
      const { start, end, size } = part ?? whole
      try {
        for (let at = start; at <= end; ) {
          const available = Math.min(await reached(at), end + 1)
          // The end of the object comes last in any case.
          if (part && (available <= at || available >= size)) expectSize(object, size, await ended)
          if (available <= at) return
          const known = available > end ? await reached(heldBackBytes) : Number.POSITIVE_INFINITY
          if (known <= heldBackBytes) expectSize(object, size, known)
          yield* readRange(await opened, at, available - 1)
          at = available
        }
      } finally {
        release()
      }
    },
  }
}

/** In one piece usually. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
}

function giveUp(error: unknown): never {
  throw new NotCached('The disk of the cache fails, or is nearly full.', { cause: error })
}
