/** Lets a watchdog settle what postgres.js (3.4.9) sends and gets no response to. */
import type postgres from 'postgres'
import { DatabaseSilentError, type Watchdog } from './watchdog.ts'

/** Watches all queries and transactions from now on. While the database is away, none is sent. */
export function watchRequests(sql: postgres.Sql, watchdog: Watchdog): void {
  watchTransactions(sql, watchdog)
  watchQueries(sql, watchdog)
}

type Work = (tx: postgres.TransactionSql) => Promise<unknown>

function watchTransactions(sql: postgres.Sql, watchdog: Watchdog): void {
  const begin = sql.begin.bind(sql)
  const beginWatched = async (work: Work) => {
    const refusal = watchdog.refusal()
    if (refusal) throw refusal
    let state: 'waiting' | 'begun' | 'failed' = 'waiting'
    return new Promise((resolve, reject) => {
      const done = watchdog.watch({
        hasBegun: () => state === 'begun',
        fail(error) {
          state = 'failed'
          done()
          reject(error)
        },
      })
      const ended = begin(async (tx) => {
        // Its caller has gone on; this rolls it back.
        if (state === 'failed') throw new DatabaseSilentError()
        state = 'begun'
        return work(tx)
      })
      ended.finally(done).then(resolve, reject)
    })
  }
  Object.assign(sql, { begin: beginWatched })
}

/** Requests within a transaction are left to it: its connection would not be released. */
function watchQueries(sql: postgres.Sql, watchdog: Watchdog): void {
  const unsafe = sql.unsafe.bind(sql)
  const unsafeWatched = (...args: Parameters<postgres.Sql['unsafe']>) => {
    const query = unsafe(...args)
    if (args[2] && 'onexecute' in args[2]) return query
    const [resolve, reject] = [settlerOf(query, 'resolve'), settlerOf(query, 'reject')]
    const refusal = watchdog.refusal()
    if (refusal) {
      reject(refusal)
      return Object.assign(query, { executed: true })
    }
    const done = watchdog.watch({ fail: (error) => settle(reject, error) })
    function settle(how: (value: unknown) => void, value: unknown): void {
      done()
      how(value)
    }
    return Object.assign(query, {
      resolve: (rows: unknown) => settle(resolve, rows),
      reject: (error: unknown) => settle(reject, error),
    })
  }
  Object.assign(sql, { unsafe: unsafeWatched })
}

function settlerOf(query: object, name: 'resolve' | 'reject'): (value: unknown) => void {
  const settler: unknown = Reflect.get(query, name)
  if (typeof settler !== 'function') throw new TypeError(`A query of postgres.js has no ${name}.`)
  return (value) => settler(value)
}
