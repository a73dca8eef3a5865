/** Reads the contents of blobs from a repository, at a bounded cost in memory. */
import { createKept } from './kept-contents.ts'
import { startGit } from './run-git.ts'

export type Objects = {
  /** The content of a blob of this size, in chunks. @throws Error if it is not there. */
  read(oid: string, size: number): AsyncGenerator<Buffer>
  close(): void
}

/** Up to this size a blob is read at once, by a program that waits for the next one. */
const smallBytes = 256 * 1024

/**
 * Opens the blobs of a bare repository; close it in the end. What was read once is kept for a second time, as
 * far as there is room: a file is read for its digest, and again to be stored.
 */
export function openObjects(directory: string, signal: AbortSignal): Objects {
  const kept = createKept()
  const batch = startGit(directory, ['cat-file', '--batch'], signal)
  batch.stderr.resume()
  batch.stdin.on('error', () => {})
  batch.on('error', () => {})
  const chunks: AsyncIterator<Buffer> = batch.stdout[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  /** The end of the read before. */
  let turn: Promise<unknown> = Promise.resolve()

  async function more(): Promise<void> {
    const { done, value } = await chunks.next()
    if (done) throw new Error('git cat-file ended early.')
    held = held.length === 0 ? value : Buffer.concat([held, value])
  }

  async function readNext(oid: string): Promise<Buffer> {
    let end = held.indexOf('\n')
    while (end === -1) {
      await more()
      end = held.indexOf('\n')
    }
    const [, type, length] = held.subarray(0, end).toString().split(' ')
    if (type !== 'blob') throw new Error(`${oid} is no blob.`)
    const size = Number(length)
    // A line break follows the content.
    while (held.length < end + 1 + size + 1) await more()
    const content = held.subarray(end + 1, end + 1 + size)
    held = held.subarray(end + 1 + size + 1)
    return content
  }

  return {
    async *read(oid, size) {
      if (size > smallBytes) {
        yield* readAlone(directory, oid, signal)
        return
      }
      const before = kept.take(oid)
      if (before) {
        yield before
        return
      }
      // Requests wait in the pipe, so that the program never waits for the next one.
      batch.stdin.write(`${oid}\n`)
      const content = turn.then(() => readNext(oid))
      turn = content.catch(() => {})
      kept.keep(oid, await content)
      yield await content
    },
    close() {
      kept.end()
      batch.kill('SIGKILL')
    },
  }
}

async function* readAlone(directory: string, oid: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const child = startGit(directory, ['cat-file', 'blob', oid], signal)
  child.stdin.end()
  child.stderr.resume()
  child.on('error', () => {})
  try {
    yield* child.stdout
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once('close', resolve))
    if (child.exitCode !== 0) throw new Error(`The object ${oid} can not be read.`)
  } finally {
    child.kill('SIGKILL')
  }
}
