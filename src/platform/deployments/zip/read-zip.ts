/** Reads zips strictly: what a deployment can't have is refused by name, before anything is inflated. */
import { isUtf8 } from 'node:buffer'
import { read } from 'node:fs'
import { promisify } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { letOthersRun } from '../../../lib/async/let-others-run.ts'
import { type AppError, invalidField } from '../../../lib/errors.ts'
import { entryPath } from '../../../lib/names/entry-path.ts'
import { pathProblem } from '../../../lib/names/file-path.ts'
import { createFollow } from '../../../lib/names/follow-links.ts'
import { isAddedByMacos } from '../../../lib/names/never-deployed.ts'
import { toNfc } from '../../../lib/names/nfc.ts'
import { spelledOut } from '../../../lib/names/spelled-out.ts'
import type { FileCaps } from '../check-files.ts'

/** A file in a zip; `size` is that of its content. A link to a file is that file, by its own path. */
export type ZippedFile = {
  path: string
  size: number
  content: () => AsyncIterable<Buffer>
  /** The path of the file that a link leads to. */
  linkTo?: string
}

/**
 * Up to this many bytes, compressed and not, a file is read and inflated at once, which is several times
 * faster.
 */
const smallBytes = 64 * 1024

/** Entries of directories and the like: a zip may have as many as files, and some more. */
const maxEntriesPerFile = 2
const moreEntries = 1_000

const stored = 0
const deflated = 8

/** File types of Unix in the upper half of an entry's attributes, and of what has none. */
const typeMask = 0o170_000
const regularTypes = [0, 0o100_000]
const linkType = 0o120_000

/** As many as the path of a file may have. */
const maxTargetBytes = 1_024

/** For all links of a zip: following them takes time, and a zip holds thousands in little space. */
const maxLinkBytes = 1024 * 1024

/** The general purpose flag of a name in UTF-8 (APPNOTE, appendix D). */
const utf8Flag = 0x800

/**
 * The files in the zip behind `fd`, which has to stay open while they are read. What the zip says about their
 * sizes keeps to `caps`; a file whose content turns out to be another fails when it is read.
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
  const links = new Map<string, Entry>()
  let bytes = 0
  let linkBytes = 0
  function take(file: ZippedFile): void {
    files.set(file.path, file)
    bytes += file.size
    if (files.size + links.size > caps.maxFiles) throw problem(`has more than ${caps.maxFiles} files`)
    if (bytes > caps.maxDeploymentBytes)
      throw problem(`has more than ${caps.maxDeploymentBytes} bytes when unpacked`)
  }
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry)
    if (path.endsWith('/') || isAddedByMacos(path)) continue
    const isTaken = files.has(path) || links.has(path)
    const found = refusalOf(entry, path, caps) ?? (isTaken ? 'is there more than once' : undefined)
    if (found) throw problem(`${spelledOut(path)} ${found}`)
    if (typeOf(entry) === linkType) {
      links.set(path, entry)
      linkBytes += entry.uncompressedSize
      if (linkBytes > maxLinkBytes) throw problem('has too many links')
    } else take({ path, size: entry.uncompressedSize, content: () => contentOf({ zip, fd, entry, path }) })
  }
  const targets = await targetsOf(links, (path, entry) => contentOf({ zip, fd, entry, path }))
  const follow = createFollow(targets)
  for (const path of targets.keys()) {
    await letOthersRun()
    links.delete(path)
    take(linkedFile(path, follow(path), files))
  }
  if (files.size === 0) throw problem('has no files')
  return [...files.values()]
}

/** The target of each link. */
async function targetsOf(
  links: Map<string, Entry>,
  contentOf: (path: string, entry: Entry) => AsyncIterable<Buffer>,
): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  for (const [path, entry] of links) {
    const parts: Buffer[] = []
    for await (const part of contentOf(path, entry)) parts.push(part)
    targets.set(path, toNfc(Buffer.concat(parts).toString()))
  }
  return targets
}

function linkedFile(path: string, linkTo: string | undefined, files: Map<string, ZippedFile>): ZippedFile {
  const file = linkTo === undefined ? undefined : files.get(linkTo)
  if (!file) throw problem(`${spelledOut(path)} is a link, but not to a file of the zip`)
  return { ...file, path, linkTo: file.path }
}

/**
 * With slashes, which some programs don't write. macOS and Info-ZIP write UTF-8 without saying so: what can
 * be read as that is taken for it, and everything else for CP437, as APPNOTE says.
 */
function pathOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = generalPurposeBitFlag | (isUtf8(fileNameRaw) ? utf8Flag : 0)
  return entryPath(getFileNameLowLevel(flags, fileNameRaw, extraFields, false))
}

function typeOf({ externalFileAttributes }: Entry): number {
  return (externalFileAttributes >>> 16) & typeMask
}

function refusalOf(entry: Entry, path: string, caps: FileCaps): string | undefined {
  const invalid = pathProblem(path)
  if (invalid) return invalid
  if (entry.isEncrypted()) return 'is encrypted; make the zip without a password'
  if (![stored, deflated].includes(entry.compressionMethod)) {
    return `is compressed by method ${entry.compressionMethod}; use deflate, or none`
  }
  if (typeOf(entry) === linkType)
    return entry.uncompressedSize > maxTargetBytes ? 'is a link with too long a target' : undefined
  if (!regularTypes.includes(typeOf(entry))) return 'is a device; replace it with a file'
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
  const what = path === undefined ? 'can not be read' : `${spelledOut(path)} can not be read`
  return problem(`${what}: ${error.message}`, error)
}
