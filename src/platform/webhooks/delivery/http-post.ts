/** One POST, with as little overhead as possible. */
import type { Dispatcher } from 'undici'

/** A status, with the header `Retry-After`. */
export type PostResponse = { status: number; retryAfter: string | undefined }

export type Post = {
  /**
   * Resolves once the answer has come to its end; rejects where it doesn't, or with what it was broken off
   * for.
   */
  answer: Promise<PostResponse>
  /** Breaks it off, wherever it has come to. */
  abort(reason: Error): void
}

type Options = { origin: string; path: string; headers: Record<string, string>; body: string }

/** Sends it. The body of the response is drained, so that the connection can be reused. */
export function post(dispatcher: Dispatcher, options: Options): Post {
  const { promise, resolve, reject } = promiseOf<PostResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let reason: Error | undefined
  let answer: PostResponse = { status: 0, retryAfter: undefined }
  dispatcher.dispatch(
    { ...options, method: 'POST' },
    {
      onRequestStart(started) {
        controller = started
        if (reason) started.abort(reason)
      },
      onResponseStart(_, status, { 'retry-after': retryAfter }) {
        answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
      },
      onResponseData() {},
      onResponseEnd: () => resolve(answer),
      onResponseError: (_, error) => reject(error),
    },
  )
  return {
    answer: promise,
    abort(why) {
      reason = why
      controller?.abort(why)
      // There may be no connection yet to emit an error.
      reject(why)
    },
  }
}

function promiseOf<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<T>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}
