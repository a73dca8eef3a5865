/** Has V8 collect contexts of TLS that nobody uses any more. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

/**
 * The most contexts that may be left over at a time: their memory is OpenSSL's, so V8 doesn't collect them by
 * itself.
 */
const maxLeftOver = 250

let collect: (() => unknown) | undefined

/** Call the returned function for each context that is evicted. A collection takes tens of milliseconds. */
export function createContextCollector(): () => void {
  let leftOver = 0
  return () => {
    leftOver += 1
    if (leftOver < maxLeftOver) return
    leftOver = 0
    collect ??= exposedCollector()
    // Connections that have just been accepted come first.
    setImmediate(collect)
  }
}

/**
 * Node has no other way to its collector than this flag of V8, which only adds a function to new contexts.
 */
function exposedCollector(): () => unknown {
  setFlagsFromString('--expose-gc')
  return z.custom<() => unknown>((value) => typeof value === 'function').parse(runInNewContext('gc'))
}
