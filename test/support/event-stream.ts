/** Reads server-sent events as they come. */
import { onTestFinished } from 'vitest'
import { type Message, messageSchema } from '../../src/stores/events/live/messages.ts'
import type { TestNode } from './node.ts'

type Received = { id: string; message: Message }

export type EventStream = {
  status: number
  headers: Headers
  /** All messages up to now. */
  received: Received[]
  types(): string[]
  /** The error that ended it, if one did. */
  error(): unknown
  hasEnded(): boolean
  /** Disconnects. */
  close(): void
}

/** Opens `events.follow` with these headers; it is closed when the test ends. */
export async function openEvents(
  { apiUrl }: Pick<TestNode, 'apiUrl'>,
  headers: Record<string, string>,
  query = 'input=%7B%7D',
): Promise<EventStream> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const response = await fetch(`${apiUrl}/trpc/events.follow?${query}`, {
    headers,
    signal: controller.signal,
  })
  const received: Received[] = []
  let error: unknown
  let ended = false

  function hear(text: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
    const data = field('data')
    const event = field('event')
    if (event === 'serialized-error') error = JSON.parse(data ?? 'null')
    else if (event === undefined && data !== undefined) {
      received.push({ id: field('id') ?? '', message: messageSchema.parse(JSON.parse(data)) })
    }
  }

  async function read(): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = texts.pop() ?? ''
      for (const text of texts) hear(text)
    }
  }

  read()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    headers: response.headers,
    received,
    types: () => received.map(({ message }) => message.type),
    error: () => error,
    hasEnded: () => ended,
    close: () => controller.abort(),
  }
}
