/** Paged lists as one. */
import { failed } from '../command-failure.ts'

type Page<T> = { data: T[]; next_cursor: string | null }

/** A list that has more is one that does not end. */
const maxPages = 10_000

/**
 * The rows of all pages; each page is requested when its first row is consumed.
 * @throws Failure after ten thousand pages.
 */
export async function* everyPage<T>(
  query: (cursor: { cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let cursor: string | null | undefined
  let pages = 0
  do {
    pages += 1
    if (pages > maxPages) throw failed('The server sent a list without an end.')
    const page: Page<T> = await query(cursor ? { cursor } : {})
    yield* page.data
    cursor = page.next_cursor
  } while (cursor)
}

/** The first `limit` rows. */
export async function firstRows<T>(rows: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) {
    if (found.push(row) >= limit) break
  }
  return found
}
