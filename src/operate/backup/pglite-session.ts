/** Sessions on the embedded database in a directory that no other process uses. */
import { PGlite } from '@electric-sql/pglite'
import { columnList, quoted, type Session } from './session.ts'

/** Blocks of a table that are read at once: they are held in memory. */
const blocksPerPage = 256

/** Bytes of rows that are written at once. */
const writeBytes = 4 * 1024 * 1024

const lineFeed = 10

/** Opens the database, creating it where there is none, and closes it after `work`. */
export async function onPglite<T>(directory: string, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await PGlite.create({ dataDir: directory })
  try {
    return await work(sessionOf(client))
  } finally {
    await client.close()
  }
}

function sessionOf(client: PGlite): Session {
  return {
    async run(statement) {
      await client.exec(statement)
    },
    async rows(query, parameters = []) {
      return (await client.query<Record<string, unknown>>(query, parameters)).rows
    },
    async *copyOut(table) {
      const name = quoted(table.name)
      const blocks = `pg_relation_size('${name}') / current_setting('block_size')::numeric`
      const pages = `ceil(${blocks} / ${blocksPerPage})`
      const [found] = (await client.query<{ pages: string }>(`select ${pages} as pages`)).rows
      for (let page = 0; page < Number(found?.pages); page += 1) {
        const [from, to] = [page, page + 1].map((each) => `'(${each * blocksPerPage},0)'::tid`)
        const rows =
          `select ${table.columns.map(quoted).join(', ')} from ${name} ` +
          `where ctid >= ${from} and ctid < ${to}`
        const { blob } = await client.query(`copy (${rows}) to '/dev/blob'`)
        if (blob && blob.size > 0) yield Buffer.from(await blob.arrayBuffer())
      }
    },
    async copyIn(table, source) {
      const statement = `copy ${quoted(table.name)} ${columnList(table)} from '/dev/blob'`
      for await (const rows of inWholeLines(source))
        await client.query(statement, [], { blob: new Blob([new Uint8Array(rows)]) })
    },
  }
}

/** The same bytes in pieces that end with the end of a row: within one, line feeds are escaped. */
async function* inWholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    held.push(chunk)
    length += chunk.length
    if (length < writeBytes) continue
    const all = Buffer.concat(held)
    const end = all.lastIndexOf(lineFeed) + 1
    if (end > 0) yield all.subarray(0, end)
    held = [all.subarray(end)]
    length = all.length - end
  }
  if (length > 0) yield Buffer.concat(held)
}
