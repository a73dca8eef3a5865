/** What the edge tells of an answer that has ended. */

/** An answer that was sent whole, or broken off; all of it is about one project. */
export type AnsweredRequest = {
  teamId: string
  projectId: string
  deploymentId: string | null
  host: string
  method: string
  /** Without the query. */
  path: string
  status: number
  /** Of the body, handed to the connection. */
  bytes: number
  durationMs: number
  /** Where the bytes came from. */
  cache: 'memory' | 'blob' | 'none'
  /** The client's. */
  address: string
  /** Unix milliseconds. */
  endedMs: number
}
