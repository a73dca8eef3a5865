/** One request of the platform's own to a server. */
import { request } from 'node:http'

/**
 * The status of the answer to a GET of `path` on the socket of a server, as if for `host`; the body isn't
 * waited for.
 * @throws the error of the connection; the reason of `signal` once that aborts.
 */
export function requestHealth(
  socketPath: string,
  { path, host }: { path: string; host: string },
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-proto': 'https', 'x-forwarded-host': host }
    const sent = request({ socketPath, path, headers, agent: false, signal })
    sent.once('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error))
    sent.once('close', () => reject(new Error('The connection was closed without an answer.')))
    sent.end()
  })
}
