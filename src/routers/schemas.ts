/** Schemas that several categories of the API share. */
import { z } from 'zod'
import { type IdKind, idSchema } from '../ids.ts'

/** Whole numbers in an answer, whose range is told, but not checked again for each answer. */
export const integer = z.number().meta({ type: 'integer' })

const timeShown = { description: 'Unix epoch, milliseconds', examples: [1_790_000_000_000] }

/** A time in an answer. */
export const timeMs = z.number().meta({ type: 'integer', minimum: 0, ...timeShown })

/** A time in an input. */
export const timeMsInput = z.int().nonnegative().meta(timeShown)

/** An address that the service made itself: told in the document, not parsed again for each answer. */
export const address = z.string().meta({ format: 'uri' })

/** How lists are paged. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20).meta({ description: 'How many rows at most' }),
  cursor: z.string().max(1_000).optional().meta({ description: 'next_cursor of the page before' }),
}

/** A page of `item`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as cursor to get the next page; null on the last' }),
  })
}

/** What a deletion answers. */
export function deleted(kind: IdKind) {
  return z.object({ id: idSchema(kind), deleted: z.literal(true) })
}

/** A project by name or id. */
export const projectReference = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A project's name or id", examples: ['web'] })
