/** The database that is backed up, while nodes run on it. */
import { beginHold, extendHold } from '../../stores/blobs/hold-collection.ts'
import { openPostgres } from '../../stores/db/open-database.ts'
import { onPglite } from './pglite-session.ts'
import { readPostgres } from './postgres-session.ts'
import type { Session } from './session.ts'
import type { Hold } from './while-held.ts'

export type Source = {
  engine: 'postgres' | 'pglite'
  hold: Hold
  /** Runs `work` on the database as it is at one moment. */
  onSnapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The database at `url`. */
export function postgresSource(url: string): Source {
  const { db, close } = openPostgres(url, 1)
  return {
    engine: 'postgres',
    hold: { begin: () => beginHold(db), extend: () => extendHold(db) },
    onSnapshot: (work) => readPostgres(url, work),
    close,
  }
}

/**
 * An embedded database, which only its node can open: `copy` has it copy the database to a directory that it
 * resolves to.
 */
export function embeddedSource(hold: Hold, copy: () => Promise<string>): Source {
  return {
    engine: 'pglite',
    hold,
    async onSnapshot(work) {
      return onPglite(await copy(), async (session) => {
        await session.run('begin')
        const result = await work(session)
        await session.run('commit')
        return result
      })
    },
    close: async () => {},
  }
}
