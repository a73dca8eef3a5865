/** Valid names of projects. */
import { z } from 'zod'

/** A DNS label (RFC 1123, section 2.1) with room for suffixes of host names; no `xn--` and the like. */
export const projectNameSchema = z
  .string()
  .regex(
    /^(?!..--)[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/,
    'must be a DNS label of at most 40 characters: a-z, 0-9 and - inside, not xn--',
  )
  .meta({ examples: ['web'] })
