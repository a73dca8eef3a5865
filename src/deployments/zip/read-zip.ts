/** Reads zips strictly: what a deployment can't have is refused by name, before anything is inflated. */
import { read } from 'node:fs'
import { promisify } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { type AppError, invalidField } from '../../errors.ts'
import { pathProblem } from '../path.ts'
import type { FileCaps } from '../plan-files.ts'

/** A file in a zip; `size` is that of its content. */
export type ZippedFile = { path: string; size: number; content: () => AsyncIterable<Buffer> }

/** Up to this many bytes, compressed and not, a file is read and inflated at once, which is several times faster. */
const smallBytes = 64 * 1024

/** Entries of directories and the like: a zip may have as many as files, and some more. */
const maxEntriesPerFile = 2
const moreEntries = 1_000

/** What the Finder adds to its zips. */
const neverMeant = /^__MACOSX\/|(?:^|\/)\.DS_Store$/

const stored = 0
const deflated = 8

/** File types of Unix in the upper half of an entry's attributes, and of what has none. */
const typeMask = 0o170_000
const regularTypes = [0, 0o100_000]

/**
 * The files in the zip behind `fd`, which has to stay open while they are read. What the zip says about their sizes keeps
 * to `caps`; a file whose content turns out to be another fails when it is read.
 * @throws AppError `invalid_input` for what isn't a zip, or has a file that can't be deployed.
 */
export async function readZip(fd: number, caps: FileCaps): Promise<ZippedFile[]> {
  try {
    const zip = await fromFdPromise(fd, { autoClose: false, decodeStrings: false })
    if (zip.entryCount > caps.maxFiles * maxEntriesPerFile + moreEntries) {
      throw problem(`has ${zip.entryCount} entries; a deployment may have ${caps.maxFiles} files`)
    }
    return await listFiles(zip, fd, caps)
  } catch (error) {
    throw asProblem(error)
  }
}

async function listFiles(zip: ZipFile, fd: number, caps: FileCaps): Promise<ZippedFile[]> {
  const files = new Map<string, ZippedFile>()
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry)
    if (path.endsWith('/') || neverMeant.test(path)) continue
    const found = refusalOf(entry, path, caps) ?? (files.has(path) ? 'is there more than once' : undefined)
    if (found) throw problem(`${JSON.stringify(path)} ${found}`)
    bytes += entry.uncompressedSize
    files.set(path, {
      path,
      size: entry.uncompressedSize,
      content: () => contentOf({ zip, fd, entry, path }),
    })
    if (files.size > caps.maxFiles) throw problem(`has more than ${caps.maxFiles} files`)
    if (bytes > caps.maxDeploymentBytes)
      throw problem(`has more than ${caps.maxDeploymentBytes} bytes when unpacked`)
  }
  if (files.size === 0) throw problem('has no files')
  return [...files.values()]
}

/** With slashes and in NFC, which some programs don't write. */
function pathOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).normalize('NFC')
}

function refusalOf(entry: Entry, path: string, caps: FileCaps): string | undefined {
  const invalid = pathProblem(path)
  if (invalid) return invalid
  if (entry.isEncrypted()) return 'is encrypted; make the zip without a password'
  if (![stored, deflated].includes(entry.compressionMethod)) {
    return `is compressed by method ${entry.compressionMethod}; use deflate, or none`
  }
  const type = (entry.externalFileAttributes >>> 16) & typeMask
  if (!regularTypes.includes(type)) return 'is a link or a device; replace it with a file'
  if (entry.uncompressedSize > caps.maxFileBytes) return `has more than ${caps.maxFileBytes} bytes`
  return undefined
}

type Source = { zip: ZipFile; fd: number; entry: Entry; path: string }

/** The content, which has to be of the size and have the checksum that the zip says. */
async function* contentOf(source: Source): AsyncGenerator<Buffer> {
  const { entry, path } = source
  let size = 0
  let checksum = 0
  try {
    for await (const chunk of chunksOf(source)) {
      size += chunk.length
      if (size > entry.uncompressedSize) throw new Error('it is larger than the zip says')
      checksum = crc32(chunk, checksum)
      yield chunk
    }
    if (size !== entry.uncompressedSize) throw new Error('it is smaller than the zip says')
    if (checksum !== entry.crc32) throw new Error('its checksum is wrong')
  } catch (error) {
    throw asProblem(error, path)
  }
}

async function* chunksOf({ zip, fd, entry }: Source): AsyncGenerator<Buffer> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (compressedSize > smallBytes || uncompressedSize > smallBytes) {
    yield* await zip.openReadStreamPromise(entry)
    return
  }
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const bytes = await readAt(fd, fileDataStart, compressedSize)
  // One byte more than there may be is enough to notice.
  const options = { maxOutputLength: uncompressedSize + 1 }
  yield compressionMethod === stored ? bytes : inflateRawSync(bytes, options)
}

const readInto = promisify(read)

async function readAt(fd: number, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await readInto(fd, bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new Error('the zip ends too early')
    filled += bytesRead
  }
  return bytes
}

function problem(text: string, cause?: unknown): AppError {
  return invalidField('zip', text, cause)
}

/** Errors of the reader and of zlib are those of the zip; those of the file system stay what they are. */
function asProblem(error: unknown, path?: string): unknown {
  if (!(error instanceof Error) || 'reason' in error) return error
  if ('code' in error && /^E[A-Z0-9]+$/.test(String(error.code))) return error
  const what = path === undefined ? 'can not be read' : `${JSON.stringify(path)} can not be read`
  return problem(`${what}: ${error.message}`, error)
}
