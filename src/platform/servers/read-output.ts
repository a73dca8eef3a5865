/** Reads the output of a server, which waits for its reader only if it floods it. */
import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { createLineReader } from '../sandbox/read-lines.ts'
import { takeChunks } from '../sandbox/take-chunks.ts'
import { createFloodGate, partsOf } from './flood-gate.ts'
import type { ServerStart } from './server-process.ts'

/** `isHeapFull`: whether a Node has said that its heap is full, which then ends it. */
export type ServerOutput = { ended: Promise<unknown>; lastLine(): string; isHeapFull(): boolean }

const heapIsFull = /^FATAL ERROR: .*JavaScript heap out of memory/

/** Passes the lines of both streams on, until their end. */
export function readOutput(
  child: ChildProcess,
  { nowMs }: { nowMs: () => number },
  { redactor, onLine, onDropped }: Pick<ServerStart, 'redactor' | 'onLine' | 'onDropped'>,
): ServerOutput {
  let last = ''
  let isFull = false

  async function read(stream: 'stdout' | 'stderr'): Promise<void> {
    const reader = createLineReader(redactor, (text) => {
      last = text
      if (stream === 'stderr' && heapIsFull.test(text)) isFull = true
      onLine({ text, stream, timeMs: nowMs() })
    })
    const gate = createFloodGate(() => performance.now())
    const drop = (count: number) => {
      if (count > 0) onDropped(count)
    }
    await takeChunks(child[stream], async (chunk) => {
      for (const part of partsOf(chunk)) {
        const { cutOff, dropped, rest, waitMs } = gate.take(part)
        if (cutOff) reader.cutOff()
        drop(dropped)
        if (rest) reader.write(rest)
        if (waitMs > 0) await wait(waitMs)
        else if (rest) await nextTurn()
      }
    })
    drop(gate.end())
    reader.end()
  }

  const ended = Promise.allSettled([read('stdout'), read('stderr')])
  return { ended, lastLine: () => last, isHeapFull: () => isFull }
}
