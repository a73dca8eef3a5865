/** Passes bytes between the socket of a server and that of the place that it connected to. */
import type { Socket } from 'node:net'

/**
 * Each end and each break of one side becomes the other's; `spend` counts bytes, and returns for how many
 * milliseconds no more are to be read. Both have to allow half-open connections.
 */
export function relay(inner: Socket, outer: Socket, spend: (bytes: number) => number): void {
  pump(inner, outer, spend)
  pump(outer, inner, spend)
}

function pump(from: Socket, to: Socket, spend: (bytes: number) => number): void {
  let isFull = false
  let resting: NodeJS.Timeout | undefined

  function goOn(): void {
    if (!isFull && resting === undefined) from.resume()
  }

  from.on('data', (chunk: Buffer) => {
    isFull = !to.write(chunk)
    const restMs = spend(chunk.length)
    if (restMs > 0) {
      clearTimeout(resting)
      resting = setTimeout(() => {
        resting = undefined
        goOn()
      }, restMs)
    }
    if (isFull || resting !== undefined) from.pause()
  })
  to.on('drain', () => {
    isFull = false
    goOn()
  })
  from.once('end', () => to.end())
  from.once('close', (hadError) => {
    clearTimeout(resting)
    if (hadError) to.resetAndDestroy()
    else if (!from.readableEnded) to.destroy()
  })
  from.resume()
}
