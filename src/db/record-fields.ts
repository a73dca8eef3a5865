/** Fields that many records have: the service made their values, which are described but not parsed again. */
import { z } from 'zod'

/** Whole numbers, whose range is described, but not checked again for each response. */
export const integer = z.number().meta({ type: 'integer' })

/** How a time is described. */
export const timeMeta = { description: 'Unix epoch, milliseconds', examples: [1_790_000_000_000] }

/** A time. */
export const timeMs = z.number().meta({ type: 'integer', minimum: 0, ...timeMeta })

/** An address that the service made itself. */
export const address = z.string().meta({ format: 'uri' })
