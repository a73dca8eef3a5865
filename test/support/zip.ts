/** Writes zips, valid and invalid ones (PKWARE's APPNOTE, 4.3 to 4.5). */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  path: string
  /** The bytes of the name instead, without the flag that says UTF-8. */
  rawName?: Buffer
  /** Info-ZIP's field with the name in UTF-8; `of` is the name whose checksum it has. */
  unicodePath?: { path: string; of?: Buffer }
  content?: string | Buffer
  /** Stored if false. */
  isDeflated?: boolean
  /** The file type and mode of Unix. */
  mode?: number
  isEncrypted?: boolean
  /** Sizes and checksum follow the data, as in zips from programs that can't seek. */
  hasDescriptor?: boolean
  /** Sizes as 64-bit numbers in an extra field. */
  isZip64?: boolean
  /** False values for the directory. */
  claims?: { size?: number; checksum?: number; method?: number; compressedSize?: number }
}

/** A zip of these entries; `claims` is the number of entries in its end record. */
export function zipOf(entries: ZipEntry[], claims: { entries?: number } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = partsOf(entry, offset)
    parts.push(local)
    directory.push(central)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(claims.entries ?? entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(claims.entries ?? entries.length, 0xffff), 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

function partsOf(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const { path, content = '', isDeflated = true, claims = {}, mode = 0o100_644 } = entry
  const name = entry.rawName ?? Buffer.from(path)
  const bytes = Buffer.from(content)
  const data = isDeflated ? deflateRawSync(bytes) : bytes
  const method = claims.method ?? (isDeflated ? 8 : 0)
  const compressedSize = claims.compressedSize ?? data.length
  const size = claims.size ?? bytes.length
  const checksum = claims.checksum ?? crc32(bytes)
  // UTF-8 names; 1: encrypted, 8: a descriptor follows the data.
  const flags = (entry.rawName ? 0 : 0x800) | (entry.isEncrypted ? 1 : 0) | (entry.hasDescriptor ? 8 : 0)
  const numbers = Buffer.alloc(12)
  numbers.writeUInt32LE(checksum, 0)
  numbers.writeUInt32LE(entry.isZip64 ? 0xffffffff : compressedSize, 4)
  numbers.writeUInt32LE(entry.isZip64 ? 0xffffffff : size, 8)
  const extra = Buffer.concat([
    entry.isZip64 ? zip64(size, compressedSize) : Buffer.alloc(0),
    entry.unicodePath ? unicodePath(entry.unicodePath.path, entry.unicodePath.of ?? name) : Buffer.alloc(0),
  ])

  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(flags, 6)
  local.writeUInt16LE(method, 8)
  if (!entry.hasDescriptor) numbers.copy(local, 14)
  local.writeUInt16LE(name.length, 26)
  local.writeUInt16LE(extra.length, 28)
  const descriptor = entry.hasDescriptor
    ? Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), numbers])
    : Buffer.alloc(0)

  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE((3 << 8) | 20, 4)
  central.writeUInt16LE(20, 6)
  central.writeUInt16LE(flags, 8)
  central.writeUInt16LE(method, 10)
  numbers.copy(central, 16)
  central.writeUInt16LE(name.length, 28)
  central.writeUInt16LE(extra.length, 30)
  central.writeUInt32LE((mode << 16) >>> 0, 38)
  central.writeUInt32LE(offset, 42)
  return {
    local: Buffer.concat([local, name, extra, data, descriptor]),
    central: Buffer.concat([central, name, extra]),
  }
}

/** Info-ZIP's Unicode Path Extra Field (APPNOTE, 4.6.9). */
function unicodePath(path: string, of: Buffer): Buffer {
  const name = Buffer.from(path)
  const head = Buffer.alloc(9)
  head.writeUInt16LE(0x7075, 0)
  head.writeUInt16LE(5 + name.length, 2)
  head.writeUInt8(1, 4)
  head.writeUInt32LE(crc32(of), 5)
  return Buffer.concat([head, name])
}

function zip64(size: number, compressedSize: number): Buffer {
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(BigInt(size), 4)
  extra.writeBigUInt64LE(BigInt(compressedSize), 12)
  return extra
}
