/** The state of a node, as it reports it at `/readyz`. */

export type Readiness = {
  ready: boolean
  listening: boolean
  database: boolean
  blobs: boolean
  /** Where rate limits are counted, or `degraded`. */
  limits: string
  degraded: string[]
}

/** Reads it; a node that is not ready answers 503 with the same. @throws when there is no such answer. */
export async function readReadiness(): Promise<Readiness> {
  const response = await fetch('/readyz')
  const body: unknown = await response.json()
  if (!isReadiness(body)) throw new Error(`The server answered ${response.status}.`)
  return body
}

function isReadiness(body: unknown): body is Readiness {
  return typeof body === 'object' && body !== null && 'ready' in body && 'degraded' in body
}
