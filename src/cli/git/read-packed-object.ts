/** Reads objects from packs (gitformat-pack(5)). */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { readUpTo, withRegularFile } from '../../stores/data-dir/read-bounded.ts'
import { applyDelta } from './apply-delta.ts'
import { findInPack } from './find-in-pack.ts'
import { inflateOptions, maxObjectBytes } from './object-bounds.ts'
import { requireWithin } from './read-git-file.ts'

/** Git itself puts packs together long before. */
const maxPacks = 1_000

/** How many differences lie upon each other; git makes 50 at most, or 250. */
const maxDeltas = 300

/** The most of all objects that one is made of. */
const maxChainBytes = 8 * maxObjectBytes

/** The types and sizes of an entry before its content, with the id of a base. */
const maxHeaderBytes = 64

const commit = 1
const deltaByOffset = 6
const deltaById = 7

/** A pack and its index, opened. */
type Pack = { pack: number; index: number; idBytes: number }

/**
 * The content of a commit in a pack of the repository at `common`; undefined if it isn't there, or too large.
 * @throws Failure for packs elsewhere, which a link leads to; Error for damaged packs.
 */
export function readPackedObject(common: string, id: string): Buffer | undefined {
  const wanted = Buffer.from(id, 'hex')
  const directory = join(common, 'objects', 'pack')
  for (const name of requireWithin(common, directory) ? packsIn(directory) : []) {
    const path = join(directory, name)
    const found = withRegularFile(`${path}.idx`, 'refused', (index) => {
      const offset = findInPack(index, wanted)
      if (offset === undefined) return undefined
      return withRegularFile(`${path}.pack`, 'refused', (pack) =>
        readAt({ pack, index, idBytes: wanted.length }, offset),
      )
    })
    if (Buffer.isBuffer(found)) return found
  }
  return undefined
}

function packsIn(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.idx'))
    return names.slice(0, maxPacks).map((name) => name.slice(0, -'.idx'.length))
  } catch {
    // There are none, or they are closed to this user.
    return []
  }
}

/** Follows differences down to a whole object, and applies them. */
function readAt(from: Pack, start: number): Buffer | undefined {
  const deltas: Buffer[] = []
  let total = 0
  for (let offset: number | undefined = start; offset !== undefined && deltas.length <= maxDeltas; ) {
    const entry = readEntry(from, offset)
    total += entry.size
    if (entry.size > maxObjectBytes || total > maxChainBytes) return undefined
    const content = inflateAt(from.pack, entry.contentAt, entry.size)
    if (entry.type === commit) return deltas.reduceRight(applyDelta, content)
    deltas.push(content)
    offset = entry.baseAt
  }
  return undefined
}

type Entry = { type: number; size: number; contentAt: number; baseAt: number | undefined }

/**
 * The type is in bits 4 to 6 of the first byte, the size in the others and in those that follow, lowest
 * first.
 */
function readEntry({ pack, index, idBytes }: Pack, offset: number): Entry {
  const bytes = readUpTo(pack, maxHeaderBytes, offset)
  const first = bytes.readUInt8(0)
  const type = (first >> 4) & 7
  let size = first & 0x0f
  let at = 1
  for (let factor = 16, byte = first; byte >= 0x80; factor *= 128, at += 1) {
    byte = bytes.readUInt8(at)
    size += (byte & 0x7f) * factor
  }
  if (type === deltaByOffset) {
    const { distance, end } = readDistance(bytes, at)
    const baseAt = distance > 0 && distance <= offset ? offset - distance : undefined
    return { type, size, contentAt: offset + end, baseAt }
  }
  if (type !== deltaById) return { type, size, contentAt: offset + at, baseAt: undefined }
  const baseAt = findInPack(index, bytes.subarray(at, at + idBytes))
  return { type, size, contentAt: offset + at + idBytes, baseAt }
}

/** How far the base is before the object, highest bits first. */
function readDistance(bytes: Buffer, start: number): { distance: number; end: number } {
  let at = start
  let byte = bytes.readUInt8(at)
  let distance = byte & 0x7f
  while (byte >= 0x80) {
    at += 1
    byte = bytes.readUInt8(at)
    distance = (distance + 1) * 128 + (byte & 0x7f)
  }
  return { distance, end: at + 1 }
}

/** Where it can't be compressed, content takes some bytes more than it has. */
function inflateAt(fd: number, offset: number, size: number): Buffer {
  const content = inflateSync(readUpTo(fd, size + (size >> 3) + 1024, offset), inflateOptions(size))
  if (content.length !== size) throw new RangeError('a damaged pack')
  return content
}
