/** The output of subscriptions. */
import { isTrackedEnvelope, type TrackedEnvelope, tracked } from '@trpc/server'
import { z } from 'zod'

/** The schema of a stream of tracked messages: its output checks each against `message`, as it is read. */
export function streamOf<Message extends z.ZodType>(message: Message) {
  return z
    .custom<AsyncIterable<TrackedEnvelope<z.input<Message>>>>(isAsyncIterable)
    .transform(async function* checked(stream): AsyncGenerator<TrackedEnvelope<z.output<Message>>, void> {
      for await (const envelope of stream) {
        if (!isTrackedEnvelope(envelope)) throw new Error('A message of a stream has no id.')
        yield tracked(envelope[0], message.parse(envelope[1]))
      }
    })
}

/** Whether a value can be read with `for await`. */
function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
