/** Runs the release command of a deployment, in the sandbox of its server. */

import { createLastLines } from './last-lines.ts'
import { startCommand } from './process.ts'
import type { Ending, ServerDeps, ServerStart } from './server-process.ts'
import type { TrialProblem } from './trial.ts'

/**
 * Resolves, once nothing of it runs any more, to undefined if it ended with exit code 0. When `signal` aborts
 * it is killed. @throws the reason of `signal`; Error where no sandbox can be made here.
 */
export async function runRelease(
  deps: ServerDeps,
  start: ServerStart,
  signal: AbortSignal,
): Promise<TrialProblem | undefined> {
  signal.throwIfAborted()
  const lines = createLastLines(start)
  const command = await startCommand(deps, { ...start, onLine: lines.onLine })
  signal.addEventListener('abort', command.kill)
  // The signal may have aborted while the sandbox was set up.
  if (signal.aborted) command.kill()
  const ending = await command.ended
  signal.removeEventListener('abort', command.kill)
  signal.throwIfAborted()
  const message = describeRelease(ending, start.memoryBytes)
  return message === undefined ? undefined : { message, ...lines.excerpt() }
}

function describeRelease({ code, signal, outOfMemory }: Ending, memoryBytes: number): string | undefined {
  if (outOfMemory) {
    const mebibytes = Math.round(memoryBytes / 1024 / 1024)
    return `The release command ran out of memory (${mebibytes} MiB): raise \`memory_bytes\` of \`runtime\`.`
  }
  if (code === 0) return undefined
  const how = signal === undefined ? `ended with exit code ${code}` : `was ended by ${signal}`
  return `The release command ${how}.`
}
