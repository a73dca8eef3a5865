/** A set of token buckets of one rate, each with a name: what every store of limits does. */

export type Draw = {
  allowed: boolean
  /** Tokens left in the bucket; 0 where a store doesn't tell. */
  remaining: number
  /** Whole milliseconds after which the same draw succeeds if nobody else draws; 0 when it was allowed. */
  waitMs: number
}

export type Limiter = {
  /** Takes `cost` tokens, at most the burst, out of the bucket `id`: all of them or none. */
  draw(id: string, cost: number): Draw | Promise<Draw>
}
