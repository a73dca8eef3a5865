/** Free ports for settings that need a number. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range that systems take from for connections and for port 0, so that they take none of these. */
const lowest = 10_000
const highest = 32_767

/** Each worker of a run has ports of its own: what one has seen free, no other takes before it is used. */
const worker = Number(process.env.VITEST_POOL_ID ?? process.pid) % 32
const count = Math.floor((highest + 1 - lowest) / 32)
const first = lowest + worker * count

/** A file's tests start where those of earlier files, whose ports may be closing still, rarely were. */
let next = Math.floor(Math.random() * count)

/** A port that is free, and that nothing else in the tests is given for a while. */
export async function freePort(): Promise<string> {
  for (let tried = 0; tried < count; tried += 1) {
    const port = first + next
    next = (next + 1) % count
    if (await isFree(port)) return String(port)
  }
  throw new Error(`No port from ${first} to ${first + count - 1} is free.`)
}

async function isFree(port: number): Promise<boolean> {
  // Without a host it fails beside a listener on any address.
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
