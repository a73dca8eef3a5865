/** Options of infinite queries over lists of the API. */

/** For `infiniteQueryOptions` of a list: pages follow each other by `next_cursor`. */
export const byCursor = {
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
}
