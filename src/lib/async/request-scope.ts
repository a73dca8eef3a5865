/**
 * Makes the id of the current request available deep in the code. From its first use on every promise costs
 * more, so it is reserved for code that has no other way.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Runs `work` for the request with this id. */
export function inRequest<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  return scope.run(requestId, work)
}

/** The id of the current request, if any, as a field of a log line. */
export function requestField(): { request_id?: string } {
  const requestId = scope.getStore()
  return requestId === undefined ? {} : { request_id: requestId }
}
