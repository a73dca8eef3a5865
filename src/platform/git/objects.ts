/** Reads the contents of blobs from a repository, at a bounded cost in memory and processes. */
import { type BlobReader, startBlobReader } from './blob-reader.ts'
import { createKept } from './kept-contents.ts'

export type Objects = {
  /**
   * The content of a blob of this size, in chunks. A large one keeps all later reads waiting until it has
   * been read, or given up. @throws GitFailed if it is not there, or git meets a limit.
   */
  read(oid: string, size: number): AsyncGenerator<Buffer>
  /**
   * A commit. `check` gets its size before it is read, and may refuse it by throwing: then nothing else can
   * be read. @throws GitFailed if it is no commit, or git meets a limit.
   */
  readCommit(oid: string, check: (bytes: number) => void): Promise<Buffer>
  /** Ends the program that reads, until the next read: all requests have been answered. */
  rest(): void
  close(): void
}

/** Up to this size a blob is read at once, whoever it is for and however slow they are. */
export const smallBytes = 256 * 1024

/**
 * Opens the blobs of a bare repository; close it in the end. They are all read by one program, one after
 * another. What was read once is kept for a second time, as far as there is room: a file is read for its
 * digest, and again to be stored.
 */
export function openObjects(directory: string, signal: AbortSignal): Objects {
  const kept = createKept()
  let reader: BlobReader | undefined
  /** The end of the read before. */
  let turn: Promise<unknown> = Promise.resolve()

  function rest(): void {
    reader?.close()
    reader = undefined
  }

  /** Requests a blob; it is the next one when `turn`, as it is now, has ended. */
  function request(oid: string): BlobReader {
    reader ??= startBlobReader(directory, signal)
    reader.request(oid)
    return reader
  }

  async function readSmall(oid: string, size: number): Promise<Buffer> {
    const source = request(oid)
    const content = turn.then(() => joined(source.next(oid, size)))
    turn = content.catch(() => {})
    return content
  }

  async function* readLarge(oid: string, size: number): AsyncGenerator<Buffer> {
    const source = request(oid)
    const before = turn
    let end = () => {}
    turn = new Promise<void>((resolve) => {
      end = resolve
    })
    await before
    let isRead = false
    try {
      yield* source.next(oid, size)
      isRead = true
    } finally {
      // What is left of it would be taken for the next one.
      if (!isRead) source.close()
      end()
    }
  }

  return {
    async readCommit(oid, check) {
      const source = request(oid)
      const commit = turn.then(() => source.nextCommit(oid, check))
      turn = commit.catch(() => source.close())
      return commit
    },
    async *read(oid, size) {
      if (size > smallBytes) {
        yield* readLarge(oid, size)
        return
      }
      const before = kept.take(oid)
      if (before) {
        yield before
        return
      }
      const content = await readSmall(oid, size)
      kept.keep(oid, content)
      yield content
    },
    rest,
    close() {
      kept.end()
      rest()
    },
  }
}

/** Joins few chunks: `buffer` of Node copies them by way of a Blob, which takes many times as long. */
async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  const [only, ...others] = all
  return only && others.length === 0 ? only : Buffer.concat(all)
}
