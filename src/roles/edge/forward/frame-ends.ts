/** Where the frames of a WebSocket end, so that another one may follow (RFC 6455, section 5.2). */

export type FrameEnds = {
  /** Reads on, in what one side has sent. */
  read(chunk: Buffer): void
  /** Whether a frame may follow: none has begun, and none was the last one. */
  mayFollow(): boolean
}

const closeOpcode = 0x8
const maskLength = 4

/** Follows one side of a WebSocket from its beginning. */
export function createFrameEnds(): FrameEnds {
  let head: number[] = []
  let payload = 0
  let isClosing = false

  function readHead(byte: number): void {
    head.push(byte)
    if (head.length < headLength(head)) return
    payload = payloadLength(head)
    isClosing ||= ((head[0] ?? 0) & 0x0f) === closeOpcode
    head = []
  }

  return {
    read(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (payload === 0) {
          readHead(chunk[at] ?? 0)
          at += 1
          continue
        }
        const read = Math.min(payload, chunk.length - at)
        payload -= read
        at += read
      }
    },
    mayFollow: () => head.length === 0 && payload === 0 && !isClosing,
  }
}

/** As far as its first two bytes tell: they come first. */
function headLength([, second]: readonly number[]): number {
  if (second === undefined) return 2
  return 2 + lengthOfLength(second) + (second >= 0x80 ? maskLength : 0)
}

function lengthOfLength(second: number): number {
  const length = second & 0x7f
  if (length === 127) return 8
  return length === 126 ? 2 : 0
}

function payloadLength(head: readonly number[]): number {
  const second = head[1] ?? 0
  const longer = head.slice(2, 2 + lengthOfLength(second))
  if (longer.length === 0) return second & 0x7f
  return longer.reduce((length, byte) => length * 256 + byte, 0)
}
