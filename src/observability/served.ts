/** What the edge tells, of each answer that it gave for a project, to those who count or log them. */

/** An answer of the edge that has ended: sent whole, or broken off. */
export type ServedResponse = {
  /** Whose it is; redirects of a domain and unknown hosts have no project and aren't observed. */
  teamId: string
  projectId: string
  /** Null while the project has nothing to serve. */
  deploymentId: string | null
  status: number
  /** Of the body, handed to the connection. */
  bytes: number
  /** From the request's head to the end of its answer, in milliseconds with decimals. */
  durationMs: number
  /** Where the bytes came from: memory, or the blob store; none for an answer about no file. */
  cache: 'memory' | 'blob' | 'none'
  endedMs: number
}

/** What it was an answer to. */
export type ServedRequest = {
  /** The label of one of the platform's names, or a domain. */
  host: string
  method: string
  /** Decoded, with its leading slash, without the query. */
  path: string
  /** Of the client: the connection's, or what trusted proxies say. */
  address: string
}
