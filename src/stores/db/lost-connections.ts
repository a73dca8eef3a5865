/** Faults of postgres.js (3.4.9) when a connection is lost. */
import type postgres from 'postgres'
import { isConnectionLost } from './failures.ts'

/**
 * postgres.js also rolls back when the connection is lost, and that write throws where nobody can catch it
 * (its issue 1208). So work that failed with its connection never settles: `begin` is rejected by the loss
 * itself.
 */
export function leaveLostTransactions(sql: postgres.Sql): void {
  const begin = sql.begin.bind(sql)
  type Work = (tx: postgres.TransactionSql) => Promise<unknown>
  const beginSafely = (work: Work) =>
    begin((tx) =>
      work(tx).catch((error: unknown) => {
        if (isConnectionLost(error)) return new Promise<never>(() => {})
        throw error
      }),
    )
  Object.assign(sql, { begin: beginSafely })
}

/**
 * postgres.js goes on counting rows after a response was cut off, so the first result on the new connection
 * begins with as many empty places, and whoever reads its first row finds nothing. This removes them from the
 * results of `unsafe`, which Drizzle uses.
 */
export function leaveOutLostRows(sql: postgres.Sql): void {
  const unsafe = sql.unsafe.bind(sql)
  const withoutGaps = (...args: Parameters<postgres.Sql['unsafe']>) => {
    const query = unsafe(...args)
    const resolve: unknown = Reflect.get(query, 'resolve')
    if (typeof resolve !== 'function') throw new TypeError('A query of postgres.js has no resolve.')
    const resolveWithoutGaps = (rows: unknown) => {
      if (Array.isArray(rows) && rows.length > 0 && !(0 in rows)) rows.splice(0, Number(Object.keys(rows)[0]))
      resolve(rows)
    }
    return Object.assign(query, { resolve: resolveWithoutGaps })
  }
  Object.assign(sql, { unsafe: withoutGaps })
}
