/** A way to PostgreSQL on which the connection ends when a transaction is committed. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Statements as the driver sends them: the last one of a restore, and the end of its transaction. */
const last = 'pg_current_xact_id'
const commit = 'commit\0'

/**
 * Listens for a restore into the database at `url`, and cuts its connection once, before the server sees that
 * it commits or after that is done; with `refusesAfter`, all later connections too.
 */
export async function cutAtCommit(
  url: string,
  when: 'before' | 'after',
  { refusesAfter = false } = {},
): Promise<{ url: string; cuts(): number; close(): Promise<void> }> {
  const database = new URL(url)
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(Number(database.port || 5432), database.hostname)
    let [isLast, isCommitting] = [false, false]
    for (const socket of [near, far])
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    near.on('data', (chunk: Buffer) => {
      isLast ||= chunk.includes(last)
      isCommitting = isLast && cuts === 0 && chunk.includes(commit)
      if (isCommitting) cuts += 1
      if (isCommitting && refusesAfter) server.close()
      if (isCommitting && when === 'before') near.destroy()
      else far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (isCommitting && chunk.includes('COMMIT')) near.destroy()
      else if (!isCommitting) near.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    cuts: () => cuts,
    async close() {
      server.close()
    },
  }
}
