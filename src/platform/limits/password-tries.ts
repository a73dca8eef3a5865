/** How often the password of a site may be tried. */
import type { Rate } from './rate.ts'

/** Of one address, for all sites: five in the minute that begins with the first one. */
export const passwordTries: Rate = { perSecond: 5 / 60, burst: 5, refill: { tokens: 5, everyMs: 60_000 } }
