/** Holds what runs to what was counted: no call without a token that its request drew from a rate limit. */
import type { TRPCProcedureType } from '@trpc/server'

/** The tokens that a request drew, and no call has spent yet; opening a stream takes one of its own kind. */
export type Tokens = { kind: 'calls' | 'streams'; left: number }

/** Takes one token for a call. @throws Error without one left, which is a fault of this program. */
export function spendToken(tokens: Tokens, { name, type }: { name: string; type: TRPCProcedureType }): void {
  const kind = type === 'subscription' ? 'streams' : 'calls'
  if (tokens.kind !== kind || tokens.left < 1) {
    throw new Error(`${name} was called without a token of the rate limit: it was not counted.`)
  }
  tokens.left -= 1
}
