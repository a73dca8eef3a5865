/** The Redis commands that rate limits need, over any protocol. */

/** The timeouts of connecting, and of a silent connection while a response is due, in milliseconds. */
export const connectionMs = 2_000

/** Every call rejects when it can't be sent now, or isn't answered in time. */
export type RedisClient = {
  /** Rejects with a message that contains `NOSCRIPT` when Redis doesn't know the script. */
  evalsha(sha1: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
  /** Redis's own time, in milliseconds since the epoch. */
  timeMs(): Promise<number>
  close(): void
}
