/** What an attack is. */
import type { Target } from './target.ts'

/** Attacks until the signal aborts. Resolves to what came of it, in a few words. */
export type Play = (signal: AbortSignal) => Promise<string>

export type Attack = {
  name: string
  /** Makes what it will send, before anybody is measured. */
  prepare(target: Target): Promise<Play> | Play
}
