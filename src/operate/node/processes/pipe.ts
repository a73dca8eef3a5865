/** Carries the messages of a channel over a stream, each as a line of JSON. */
import type { Duplex } from 'node:stream'

/** Calls `receive` with each message that arrives; returns the function that sends one. */
export function carryMessages(
  stream: Duplex,
  receive: (message: unknown) => void,
): (message: object) => void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(JSON.parse(line))
  })
  // The end of the other process ends it.
  stream.on('error', () => {})
  return (message) => void stream.write(`${JSON.stringify(message)}\n`)
}
