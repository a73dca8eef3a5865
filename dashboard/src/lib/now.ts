/** The time, for texts such as "3 minutes ago": all of a page change at once. */
import { useSyncExternalStore } from 'react'

const everyMs = 10_000
const listeners = new Set<() => void>()
let now = 0
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of listeners) each()
    }, everyMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function read(): number {
  if (now === 0) now = Date.now()
  return now
}

/** Milliseconds since 1970, renewed every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read, () => 0)
}
