/** How often passwords may be tried. */
import type { Rate } from './rate.ts'

/**
 * Five in the minute that begins with the first one: those of sites by one address, those of a person from
 * anywhere.
 */
export const passwordTries: Rate = { perSecond: 5 / 60, burst: 5, refill: { tokens: 5, everyMs: 60_000 } }
