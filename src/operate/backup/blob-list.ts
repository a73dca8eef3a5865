/** The list of the files that a backup refers to, ordered by name: a line `<object> <bytes>` for each. */
import type { Session } from './session.ts'

export type ListedBlob = { object: string; size: number }

const perBatch = 500

/**
 * All objects of blob rows with their compressed forms, in bytes' order; sorted by the database, so any
 * number of them.
 */
const select = `
  select object, size::text from (
    select object, size from blobs
    union all select br_object, br_size from blobs where br_object is not null
    union all select gzip_object, gzip_size from blobs where gzip_object is not null) as listed
  order by object collate "C"`

/** The objects that the session's database refers to, in batches. Within a transaction. */
export async function* readBlobs(session: Session): AsyncGenerator<ListedBlob[]> {
  await session.run(`declare listed_blobs no scroll cursor for ${select}`)
  for (;;) {
    const rows = await session.rows(`fetch ${perBatch} from listed_blobs`)
    if (rows.length === 0) break
    yield rows.map(({ object, size }) => ({ object: String(object), size: Number(size) }))
  }
  await session.run('close listed_blobs')
}

/** The list as a file's bytes; calls `listed` with each batch. */
export async function* encodeList(
  batches: AsyncIterable<ListedBlob[]>,
  listed: (batch: ListedBlob[]) => void,
): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    listed(batch)
    yield Buffer.from(batch.map(({ object, size }) => `${object} ${size}\n`).join(''))
  }
}

/** The entries of a list, in batches. @throws Error for other bytes. */
export async function* decodeList(bytes: AsyncIterable<Buffer>): AsyncGenerator<ListedBlob[]> {
  let rest = ''
  let batch: ListedBlob[] = []
  for await (const chunk of bytes) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      batch.push(parseLine(line))
      if (batch.length < perBatch) continue
      yield batch
      batch = []
    }
  }
  if (rest !== '') throw new Error('The list of files ends within a line.')
  if (batch.length > 0) yield batch
}

function parseLine(line: string): ListedBlob {
  const [, object, size] = /^(team_[0-9a-f]{32}\/[0-9a-f]{64}-[0-9a-f]{16}) (\d+)$/.exec(line) ?? []
  if (object === undefined) throw new Error('A line of the list of files is invalid.')
  return { object, size: Number(size) }
}
