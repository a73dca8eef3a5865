/** Packs (gitformat-pack), and the pushes that bring them. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { GitObject, Kind } from './objects.ts'

const codes: Record<Kind, number> = { commit: 1, tree: 2, blob: 3 }
const deltaCode = 6

/** An object as instructions for another one, which comes before it in the pack. */
type Delta = { base: GitObject; instructions: Buffer; resultBytes: number }

/** A pack of these objects, and then of these deltas, all of them of the first object. */
export function packOf(objects: GitObject[], deltas: Delta[] = []): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length + deltas.length, 8)
  const parts: Buffer[] = [head]
  const offsets = new Map<string, number>()
  let at = head.length
  const add = (...added: Buffer[]) => {
    parts.push(...added)
    for (const { length } of added) at += length
  }
  for (const { kind, content, id } of objects) {
    offsets.set(id, at)
    add(entryHead(codes[kind], content.length), deflateSync(content, { level: 1 }))
  }
  for (const { base, instructions, resultBytes } of deltas) {
    const delta = Buffer.concat([size(base.content.length), size(resultBytes), instructions])
    const back = at - (offsets.get(base.id) ?? 0)
    add(entryHead(deltaCode, delta.length), offset(back), deflateSync(delta))
  }
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return Buffer.concat([...parts, hash.digest()])
}

function entryHead(code: number, bytes: number): Buffer {
  const low = bytes % 16
  const rest = Math.floor(bytes / 16)
  return rest === 0
    ? Buffer.from([code * 16 + low])
    : Buffer.concat([Buffer.from([128 + code * 16 + low]), size(rest)])
}

/** Seven bits a byte, the lowest first. */
function size(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** Seven bits a byte, the highest first, each byte but the last one less by one. */
function offset(value: number): Buffer {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift((rest % 128) + 128)
  }
  return Buffer.from(bytes)
}

/** Copies a file, but for its last bytes, which become `end`. */
export function deltaOf(base: GitObject, end: Buffer): Delta {
  const kept = base.content.length - end.length
  const copies: Buffer[] = []
  const most = 0xff_ff_ff
  for (let from = 0; from < kept; from += most) copies.push(copy(from, Math.min(most, kept - from)))
  const instructions = Buffer.concat([...copies, Buffer.from([end.length]), end])
  return { base, instructions, resultBytes: base.content.length }
}

/** The instruction to copy so many bytes from there. */
function copy(from: number, bytes: number): Buffer {
  const operands = Buffer.alloc(7)
  operands.writeUInt32LE(from, 0)
  operands.writeUIntLE(bytes, 4, 3)
  return Buffer.concat([Buffer.from([0xff]), operands])
}

const zeros = '0'.repeat(40)

/** A branch that is made, or moved from a commit that it has. */
export type Update = { branch: string; from?: string | undefined; to: string }

/** What a push sends: the commands, and the pack. */
export function pushOf(updates: Update[], pack: Buffer): Buffer {
  const lines = updates.map(({ branch, from = zeros, to }, index) => {
    const capabilities = index === 0 ? '\0 report-status side-band-64k' : ''
    return packet(`${from} ${to} refs/heads/${branch}${capabilities}`)
  })
  return Buffer.concat([...lines, Buffer.from('0000'), pack])
}

/** A packet (gitprotocol-common, "pkt-line format"). */
function packet(content: string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}
