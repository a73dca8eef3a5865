/** The sizes of many objects, by listing the keys around them: asking for each would cost a request. */
import type { S3Client } from './client.ts'
import { type ListedObject, listObjects } from './objects.ts'

/**
 * The lengths in bytes of those of `objects`, named without `prefix`, that exist. Takes at most one request
 * for each, and one for a thousand where they are all that is there. @throws AppError `store_unavailable`.
 */
export async function findSizes(
  client: S3Client,
  prefix: string,
  objects: string[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const wanted = objects.toSorted()
  for (let at = 0; at < wanted.length; ) {
    const first = wanted[at] ?? ''
    // All keys greater than this one without its last character: the first is among them, and few others
    // before it.
    const page = await firstPage(client, prefix, prefix + first.slice(0, -1))
    if (page.length === 0) break
    const listed = new Map(page.map(({ key, size }) => [key.slice(prefix.length), size]))
    const last = [...listed.keys()].at(-1) ?? ''
    do {
      const object = wanted[at] ?? ''
      const size = listed.get(object)
      if (size !== undefined) sizes.set(object, size)
      at += 1
    } while (at < wanted.length && (wanted[at] ?? '') <= last)
  }
  return sizes
}

async function firstPage(client: S3Client, prefix: string, after: string): Promise<ListedObject[]> {
  for await (const page of listObjects(client, prefix, after)) return page
  return []
}
