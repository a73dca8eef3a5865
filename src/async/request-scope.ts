/**
 * Tells code deep inside which request it works for, where that has no other way of knowing: from its first use on it makes
 * every promise dearer, so it is for what does the same anyway.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Runs `work` for the request of this id. */
export function inRequest<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  return scope.run(requestId, work)
}

/** The id of the request that is worked for, if any, as a field of a log line. */
export function requestField(): { request_id?: string } {
  const requestId = scope.getStore()
  return requestId === undefined ? {} : { request_id: requestId }
}
