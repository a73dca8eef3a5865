/** The meta that all procedures with pages of a list share. */

type Page<Example> = {
  /** In words, as `domains`. */
  of: string
  path: `/${string}`
  tags: string[]
  summary: string
  /** Ends with the order. */
  description: string
  /** One of them. */
  example: Example
}

/** The REST form of a procedure that answers with a page, and an example with one entry. */
export function pageMeta<Example>({ of, path, tags, summary, description, example }: Page<Example>) {
  return {
    openapi: { method: 'GET', path, tags, summary, description, successDescription: `A page of ${of}` },
    example: { response: { data: [example], next_cursor: null } },
  } as const
}
