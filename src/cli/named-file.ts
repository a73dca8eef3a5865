/** Reads and writes files that are named on the command line. */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Readable } from 'node:stream'
import { hasCode } from '../lib/has-code.ts'
import { failed, usageFailure } from './command-failure.ts'

/**
 * Windows has none of the last ones. To open a FIFO would wait for its other end, where Ctrl-C can't end
 * that.
 */
const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants

type Bounds = { maxBytes: number; signal: AbortSignal }

/**
 * The text of a file, which may be a link or a pipe (`<(...)`).
 * @throws Failure with the reason if it can't be read, for a device, and for more than `maxBytes`; the
 * signal's reason.
 */
export async function readTextFile(file: string, bounds: Bounds): Promise<string> {
  try {
    return await readText(await openNamed(file), file, bounds)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw failed(`${file} can't be read: ${error.message}`, error)
    throw error
  }
}

/**
 * All of `stream`, which messages call `name`.
 * @throws Failure for more than `maxBytes`; the signal's reason.
 */
export async function readText(
  stream: Readable,
  name: string,
  { maxBytes, signal }: Bounds,
): Promise<string> {
  const stop = () => stream.destroy(new Error('aborted'))
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      const buffer = Buffer.from(chunk)
      bytes += buffer.length
      if (bytes > maxBytes) throw usageFailure(`${name} is longer than ${maxBytes} bytes.`)
      chunks.push(buffer)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function openNamed(file: string): Promise<Readable> {
  // Looked at before, since to open a device may have effects, and afterwards, since it may be another file
  // by then.
  refuseDevice(file, statSync(file))
  const fd = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const stat = fstatSync(fd)
    refuseDevice(file, stat)
    if (!stat.isFIFO()) return createReadStream('', { fd })
    // A socket waits for whoever writes without a thread, which would hold up the end of the process.
    const { Socket } = await import('node:net')
    return new Socket({ fd, readable: true, writable: false })
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function refuseDevice(file: string, stat: Stats): void {
  if (!stat.isCharacterDevice() && !stat.isBlockDevice()) return
  throw failed(`${file} is a device. Pass a file or a pipe.`)
}

/**
 * Writes the text to a file.
 * @throws Failure with the reason if it can't be written, and for a link, which may lead anywhere.
 */
export function writeTextFile(file: string, text: string): void {
  try {
    const fd = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    try {
      writeFileSync(fd, text)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (hasCode(error, 'ELOOP'))
      throw failed(`${file} is a link. Pass the file that it leads to, or remove it.`, error)
    throw failed(`${file} can't be written: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
