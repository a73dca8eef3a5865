/** One process of git that prints objects as they are requested, one after another. */
import { GitFailed, startGit } from './run-git.ts'

export type BlobReader = {
  /** Requests an object. Requests wait in the pipe, so that the program never waits for the next one. */
  request(oid: string): void
  /** The content of the blob that is next in turn, in chunks. It has to be read to its end. */
  next(oid: string, size: number): AsyncGenerator<Buffer>
  /** The commit that is next in turn. `check` gets its size before it is read, and may refuse it. */
  nextCommit(oid: string, check: (bytes: number) => void): Promise<Buffer>
  close(): void
}

/** The longest line before an object, which has its id, type and size. */
const maxHeadBytes = 200

/**
 * Starts one in a bare repository; close it in the end. `next` throws GitFailed for what is no blob of that
 * size, and where git met a limit.
 */
export function startBlobReader(directory: string, signal: AbortSignal): BlobReader {
  const child = startGit(directory, ['cat-file', '--batch'], { signal })
  child.stderr.resume()
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  const chunks: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<Buffer> {
    const { done, value } = await chunks.next()
    if (done) throw new GitFailed('git cat-file ended early.')
    return value
  }

  async function readHead(): Promise<string> {
    for (;;) {
      const end = held.indexOf('\n')
      if (end !== -1) {
        const head = held.toString('latin1', 0, end)
        held = held.subarray(end + 1)
        return head
      }
      if (held.length > maxHeadBytes) throw new GitFailed('git cat-file printed no head.')
      held = Buffer.concat([held, await more()])
    }
  }

  async function* take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (held.length === 0) held = await more()
      const taken = held.subarray(0, left)
      held = held.subarray(taken.length)
      left -= taken.length
      yield taken
    }
  }

  return {
    request(oid) {
      child.stdin.write(`${oid}\n`)
    },
    async nextCommit(oid, check) {
      const head = await readHead()
      const [, bytes] = /^[0-9a-f]+ commit (\d+)$/.exec(head) ?? []
      if (bytes === undefined) throw new GitFailed(`${oid} is no commit.`)
      check(Number(bytes))
      const parts: Buffer[] = []
      for await (const part of take(Number(bytes) + 1)) parts.push(part)
      return Buffer.concat(parts).subarray(0, -1)
    },
    async *next(oid, size) {
      const head = await readHead()
      if (head !== `${oid} blob ${size}`) throw new GitFailed(`${oid} is no blob of ${size} bytes.`)
      yield* take(size)
      // A line break follows the content.
      for await (const _ of take(1));
    },
    close() {
      child.kill('SIGKILL')
    },
  }
}
