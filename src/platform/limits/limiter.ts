/** The interface of limiters: token buckets of one rate, by name. */

export type Draw = {
  allowed: boolean
  /** Tokens left in the bucket; 0 if the store doesn't report it. */
  remaining: number
  /** Milliseconds after which the same draw succeeds if nobody else draws; 0 when it was allowed. */
  waitMs: number
}

export type Limiter = {
  /** Draws `cost` tokens, at most the burst, from the bucket `id`: all of them or none. */
  draw(id: string, cost: number): Draw | Promise<Draw>
  /** Returns tokens that were drawn to the bucket `id`, which never has more than its burst. */
  giveBack(id: string, cost: number): void | Promise<void>
}
