/** Looks at the first bytes of a connection, and leaves them to whoever serves it. */
import type { Socket } from 'node:net'

/** The meaning of the first bytes: `isEnough` is false where more have to come. */
type Looked<T> = { isEnough: boolean; found: T }

/**
 * Calls `look` with the bytes that have come, until they are enough, and puts all back but the first `used`
 * of them. Resolves to what was found; undefined for a connection that ended, or took longer than `limitMs`,
 * and is destroyed.
 */
export function peek<T>(
  socket: Socket,
  look: (bytes: Buffer) => Looked<T> & { used?: number },
  limitMs: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const timer = setTimeout(giveUp, limitMs)

    function finish(): void {
      clearTimeout(timer)
      socket.off('readable', read).off('end', giveUp).off('close', giveUp).off('error', giveUp)
    }

    function giveUp(): void {
      finish()
      socket.destroy()
      resolve(undefined)
    }

    function read(): void {
      const chunk: unknown = socket.read()
      if (!Buffer.isBuffer(chunk)) return
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const { isEnough, found, used = 0 } = look(bytes)
      if (!isEnough) return
      finish()
      const rest = bytes.subarray(used)
      if (rest.length > 0) socket.unshift(rest)
      resolve(found)
    }

    socket.on('readable', read).on('end', giveUp).on('close', giveUp).on('error', giveUp)
    read()
  })
}
