/**
 * Fields that many inputs and records have; the service made those of records, which are described but not
 * parsed again.
 */
import { z } from 'zod'
import { type IdKind, idSchema } from '../../lib/ids.ts'

/** Whole numbers, whose range is described, but not checked again for each response. */
export const integer = z.number().meta({ type: 'integer' })

/** How a time is described. */
const timeMeta = { description: 'Unix epoch, milliseconds', examples: [1_790_000_000_000] }

/** A time in an input. */
export const timeMsInput = z.int().nonnegative().meta(timeMeta)

/** A time. */
export const timeMs = z.number().meta({ type: 'integer', minimum: 0, ...timeMeta })

/** An address that the service made itself. */
export const address = z.string().meta({ format: 'uri' })

/** The response of a deletion. */
export function deleted(kind: IdKind) {
  return z.object({ id: idSchema(kind), deleted: z.literal(true) })
}
