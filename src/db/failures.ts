/** Which database errors mean that the database is away, and which constraint another one hit. */
import { AppError } from '../errors.ts'

/** Connection errors of postgres.js and the system, and the SQLSTATEs of a server that can't serve right now. */
const unavailable = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available
  '57014', // query_canceled (statement_timeout)
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '25P03', // idle_in_transaction_session_timeout
  '08000',
  '08003',
  '08006',
])

/** Whether the error (or what caused it) says that the database can't be reached or can't take work. */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some((each) => unavailable.has(codeOf(each)))
}

/** Whether a store is away, be it that the error is the failure itself or what was made of it. */
export function isStoreAway(error: unknown): boolean {
  return (error instanceof AppError && error.reason === 'store_unavailable') || isUnavailable(error)
}

/** Whether the connection was lost before the answer came. */
export function isConnectionLost(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === 'CONNECTION_CLOSED')
}

/** Whether the transaction was ended, without a trace, since it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '40P01')
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '23505')
}

/** Whether a foreign key refused the write: a row that it needs is gone, or one that still refers to it is left. */
export function isForeignKeyViolation(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '23503')
}

function codeOf(error: object): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function causes(error: unknown): object[] {
  const found: object[] = []
  let current = error
  while (typeof current === 'object' && current !== null && found.length < 10) {
    found.push(current)
    current = 'cause' in current ? current.cause : undefined
  }
  return found
}
