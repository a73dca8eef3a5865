/** Requests between two processes in both directions, over whatever carries messages between them. */
import { z } from 'zod'

/** A function that the other process may call; a method, so that each has its own input. */
type Handler = { call(input: unknown): unknown }['call']

export type Handlers = { [name: string]: Handler }

type Name<Remote> = keyof Remote & string
type Input<Remote, N extends keyof Remote> = Remote[N] extends (input: infer I) => unknown ? I : never
type Output<Remote, N extends keyof Remote> = Remote[N] extends (input: never) => infer O ? Awaited<O> : never

export type Channel<Remote> = {
  /**
   * Calls a handler of the other process. Rejects with its message as it does, and when the channel is
   * closed.
   */
  request<N extends Name<Remote>>(name: N, input: Input<Remote, N>): Promise<Output<Remote, N>>
  /** The same without a response. */
  notify<N extends Name<Remote>>(name: N, input: Input<Remote, N>): void
  /** Handles a message of the other process. */
  receive(message: unknown): void
  /** Rejects what has no response yet: there will be none. */
  close(): void
}

/** An id of 0 wants no response. */
type Request = [id: number, name: string, input: unknown]

type Response = [id: number, output: unknown, failure?: string]

type Message = { requests: Request[]; responses: Response[] }

/** Both processes are of this program. */
const messageSchema = z.custom<Message>((value) => typeof value === 'object' && value !== null)

type Pending = { resolve(output: unknown): void; reject(error: Error): void }

/**
 * A channel whose messages leave by `send` as JSON values. What is sent in one turn of the event loop is one
 * message, because a message costs many times as much as what is in it.
 */
export function createChannel<Remote>(handlers: Handlers, send: (message: object) => void): Channel<Remote> {
  const pending = new Map<number, Pending>()
  let outgoing: Message = { requests: [], responses: [] }
  let isFlushing = false
  let isClosed = false
  let lastId = 0

  function flush(): void {
    const message = outgoing
    outgoing = { requests: [], responses: [] }
    isFlushing = false
    if (!isClosed) send(message)
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  function respond(...response: Response): void {
    outgoing.responses.push(response)
    flushSoon()
  }

  function fail(id: number, error: unknown): void {
    if (id !== 0) respond(id, null, error instanceof Error ? error.message : String(error))
  }

  function handle([id, name, input]: Request): void {
    try {
      const output = handlers[name]?.(input)
      if (output instanceof Promise)
        output.then(
          (value) => id !== 0 && respond(id, value),
          (error) => fail(id, error),
        )
      else if (id !== 0) respond(id, output)
    } catch (error) {
      fail(id, error)
    }
  }

  function settle([id, output, failure]: Response): void {
    const request = pending.get(id)
    pending.delete(id)
    if (failure === undefined) request?.resolve(output)
    else request?.reject(new Error(failure))
  }

  return {
    request: (name, input) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closed())
          return
        }
        lastId += 1
        pending.set(lastId, { resolve, reject })
        outgoing.requests.push([lastId, name, input])
        flushSoon()
      }),
    notify(name, input) {
      outgoing.requests.push([0, name, input])
      flushSoon()
    },
    receive(message) {
      const { requests, responses } = messageSchema.parse(message)
      for (const response of responses) settle(response)
      for (const request of requests) handle(request)
    },
    close() {
      isClosed = true
      for (const { reject } of pending.values()) reject(closed())
      pending.clear()
    },
  }
}

const closed = () => new Error('The other process has ended.')
