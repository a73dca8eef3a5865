/** Sees whether a server answers at all. */
import { request } from 'node:http'

/** In milliseconds. */
const answerMs = 10_000

/** Whether the head of any answer to `GET` of `path`, by default `/`, comes in time. */
export function isAnswering(
  socketPath: string,
  { host, path }: { host: string; path: string | null },
): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({
      socketPath,
      path: path ?? '/',
      headers: { host },
      agent: false,
      signal: AbortSignal.timeout(answerMs),
    })
    const settle = (isWell: boolean) => {
      resolve(isWell)
      probe.destroy()
    }
    probe
      .once('response', () => settle(true))
      .once('upgrade', () => settle(true))
      .once('information', () => {})
      .on('error', () => settle(false))
      .end()
  })
}
