/** Merges lists that are sorted, however long they are. */

/** All items of the lists in order, each once. */
export async function* mergeSorted(lists: AsyncIterable<string>[]): AsyncGenerator<string> {
  const readers = lists.map((list) => list[Symbol.asyncIterator]())
  const heads = await Promise.all(readers.map((reader) => nextOf(reader)))
  for (;;) {
    const least = heads.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)
    if (least === undefined) return
    yield least
    for (const [index, reader] of readers.entries())
      while (heads[index] === least) heads[index] = await nextOf(reader)
  }
}

/** The items of `all` that are not in `others`, in batches; both are sorted. */
export async function* withoutThose(
  all: AsyncIterable<string>,
  others: AsyncIterable<string>,
  perBatch = 500,
): AsyncGenerator<string[]> {
  const reader = others[Symbol.asyncIterator]()
  let other = await nextOf(reader)
  let batch: string[] = []
  for await (const item of all) {
    while (other !== undefined && other < item) other = await nextOf(reader)
    if (item === other) continue
    batch.push(item)
    if (batch.length < perBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function nextOf(reader: AsyncIterator<string>): Promise<string | undefined> {
  const { value, done } = await reader.next()
  return done === true ? undefined : value
}
