/** What limits need of a Redis, whichever way it is spoken to. */

/** How long a connection may take, or be silent when an answer is due, before it counts as dead, in milliseconds. */
export const connectionMs = 2_000

/** Every call rejects when it can't be made now, and in the end when it isn't answered. */
export type RedisClient = {
  /** Rejects with a message that has `NOSCRIPT` in it when Redis doesn't know the script. */
  evalsha(sha1: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
  /** Redis's own time, in milliseconds since the epoch. */
  timeMs(): Promise<number>
  close(): void
}
