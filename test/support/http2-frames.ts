/** Frames and fields of HTTP/2, for clients that no library would be. */

const maxWindow = 2 ** 31 - 1
const defaultWindow = 65_535

/** Types of frames (RFC 9113, section 6). */
export const frames = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

/** Of frames: the stream ends with it; its fields do. */
export const flags = { endStream: 1, endHeaders: 4 } as const

/** A frame (RFC 9113, section 4.1). */
export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flag
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A literal field: one that is not indexed (RFC 7541, section 6.2.2), or one that is (6.2.1). */
export function field(name: string, value: string, { isIndexed = false } = {}): Buffer {
  return Buffer.concat([Buffer.from([isIndexed ? 0x40 : 0]), text(name), text(value)])
}

/** An integer after a prefix of seven bits, whose first bit is 0 (RFC 7541, section 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value])
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

function text(value: string): Buffer {
  return Buffer.concat([integer(Buffer.byteLength(value)), Buffer.from(value)])
}

/** A number of four bytes. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A setting (RFC 9113, section 6.5.1). */
export function setting(identifier: number, value: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16BE(identifier, 0)
  bytes.writeUInt32BE(value, 2)
  return bytes
}

/** The bytes that begin a session, with windows for all that may come. */
export function sessionStart(): Buffer {
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(frames.settings, 0, 0, setting(4, maxWindow)),
    frame(frames.windowUpdate, 0, 0, uint32(maxWindow - defaultWindow)),
  ])
}

type Request = { method?: string; authority: string; path: string }

/** The fields of a request. */
export function requestFields({ method = 'GET', authority, path }: Request): Buffer {
  return Buffer.concat([
    field(':method', method),
    field(':scheme', 'https'),
    field(':authority', authority),
    field(':path', path),
  ])
}
