/** The input and the response of lists. */
import { z } from 'zod'

/** Parameters of lists. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20).meta({ description: 'How many rows at most' }),
  cursor: z.string().max(1_000).optional().meta({ description: 'next_cursor of the page before' }),
}

/** A page of `item`. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as cursor to get the next page; null on the last' }),
  })
}
