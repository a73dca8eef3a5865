/** Reads the output of a server, which never waits for its reader for long. */
import type { ChildProcess } from 'node:child_process'
import { createLineReader } from '../sandbox/read-lines.ts'
import { takeChunks } from '../sandbox/take-chunks.ts'
import type { ServerStart } from './server-process.ts'

/** `isHeapFull`: whether a Node has said that its heap is full, which then ends it. */
export type ServerOutput = { ended: Promise<unknown>; lastLine(): string; isHeapFull(): boolean }

const heapIsFull = /^FATAL ERROR: .*JavaScript heap out of memory/

/** Passes the lines of both streams on, until their end. */
export function readOutput(
  child: ChildProcess,
  { nowMs }: { nowMs: () => number },
  { redactor, onLine }: Pick<ServerStart, 'redactor' | 'onLine'>,
): ServerOutput {
  let last = ''
  let isFull = false

  async function read(stream: 'stdout' | 'stderr'): Promise<void> {
    const reader = createLineReader(redactor, (text) => {
      last = text
      if (stream === 'stderr' && heapIsFull.test(text)) isFull = true
      onLine({ text, stream, timeMs: nowMs() })
    })
    await takeChunks(child[stream], reader.write)
    reader.end()
  }

  const ended = Promise.allSettled([read('stdout'), read('stderr')])
  return { ended, lastLine: () => last, isHeapFull: () => isFull }
}
