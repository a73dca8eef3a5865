/** Paged lists as one. */

type Page<T> = { data: T[]; next_cursor: string | null }

/** The rows of all pages; each page is requested when its first row is consumed. */
export async function* everyPage<T>(
  query: (cursor: { cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let cursor: string | null | undefined
  do {
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
