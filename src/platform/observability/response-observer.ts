/** Observer of the edge's responses, for metrics and logs. */

/** An answer of the edge that has ended: sent whole, or broken off. */
export type ServedResponse = {
  /** Whose it is; redirects of a domain and unknown hosts have no project and aren't observed. */
  teamId: string
  projectId: string
  /** Null if the project has nothing to serve. */
  deploymentId: string | null
  status: number
  /** Bytes of the body written to the connection. */
  bytes: number
  /** From the request's head to the end of the response, in milliseconds with decimals. */
  durationMs: number
  /** The source of the bytes: memory, or the blob store; none without a file. */
  cache: 'memory' | 'blob' | 'none'
  endedMs: number
}

/** The request that it answered. */
export type ServedRequest = {
  /** The label of one of the platform's names, or a domain. */
  host: string
  method: string
  /** Decoded, with its leading slash, without the query. */
  path: string
  /** The client's address: the connection's, or as reported by trusted proxies. */
  address: string
}
