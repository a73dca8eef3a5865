/** Classifies database errors: an unavailable database, and violated constraints. */
import { AppError } from '../../lib/errors.ts'

/** Connection errors of postgres.js and the system, and SQLSTATEs of a server that stops or starts. */
const unreachable = new Set([
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
  'DATABASE_SILENT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '08000',
  '08003',
  '08006',
])

/** SQLSTATEs of a server that can't do this right now. */
const overloaded = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available
  '57014', // query_canceled (statement_timeout)
  '25P03', // idle_in_transaction_session_timeout
])

/** Whether the error (or its cause) means that the database is unreachable or overloaded. */
export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || causes(error).some((each) => overloaded.has(codeOf(each)))
}

/** Whether the error (or its cause) means that a server can't be reached, or that it stops or starts. */
export function isUnreachable(error: unknown): boolean {
  return causes(error).some((each) => unreachable.has(codeOf(each)))
}

/** Errors of the system, and the SQLSTATE, for a disk without space. */
const full = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether the error (or its cause) means that a disk is full: the database's, or this machine's. */
export function isDiskFull(error: unknown): boolean {
  return causes(error).some((each) => full.has(codeOf(each)))
}

/** Whether a store is unavailable, by the original error or the AppError made from it. */
export function isStoreAway(error: unknown): boolean {
  return (error instanceof AppError && error.reason === 'store_unavailable') || isUnavailable(error)
}

/** Whether the connection was lost before the response came. */
export function isConnectionLost(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === 'CONNECTION_CLOSED')
}

/** Whether the transaction was rolled back as the victim of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '40P01')
}

/** Whether a lock was waited for as long as `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '55P03')
}

/** Whether a unique constraint was violated. */
export function isUniqueViolation(error: unknown): boolean {
  return causes(error).some((each) => codeOf(each) === '23505')
}

/** Whether a foreign key was violated: a referenced row is gone, or a referencing one is left. */
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
