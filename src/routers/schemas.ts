/** Schemas that several categories of the API share. */
import { z } from 'zod'
import { timeMeta } from '../db/record-fields.ts'
import { type IdKind, idSchema } from '../ids.ts'

/** A time in an input. */
export const timeMsInput = z.int().nonnegative().meta(timeMeta)

/** Parameters of lists. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20).meta({ description: 'How many rows at most' }),
  cursor: z.string().max(1_000).optional().meta({ description: 'next_cursor of the page before' }),
}

/** Of lists of files: larger pages, and cursors that hold a path. */
export const filesPageInput = {
  limit: z.int().min(1).max(1_000).default(100),
  cursor: z.string().max(10_000).optional(),
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

/** The response of a deletion. */
export function deleted(kind: IdKind) {
  return z.object({ id: idSchema(kind), deleted: z.literal(true) })
}

/** A project by name or id. */
export const projectReference = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A project's name or id", examples: ['web'] })
