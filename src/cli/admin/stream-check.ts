/** Has the running node check its installation, or does it where none runs. */
import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminSocketPath } from '../../stores/data-dir/admin-protocol.ts'
import {
  type CheckEvent,
  type CheckInput,
  checkStream,
  type StreamLine,
  streamLineSchema,
} from '../../stores/data-dir/admin-streams.ts'
import { DataDirectoryInUseError, isLocked } from '../../stores/data-dir/lock.ts'
import { NoAdminSocketError, send } from './request-node.ts'

const pollMs = 100

/** How long to wait for a node that is starting or stopping. */
const waitMs = 5_000

type Options = {
  /** The data directory. */
  directory: string
  input: CheckInput
  signal: AbortSignal
  /** Checks without a node; throws DataDirectoryInUseError if a node has the data directory after all. */
  checkDirectly: () => AsyncGenerator<CheckEvent>
}

/**
 * The events of the check.
 * @throws Error with a message for the user if the node refuses, fails or stops; the error of
 * `checkDirectly`.
 */
export async function* streamCheck(options: Options): AsyncGenerator<CheckEvent> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    try {
      yield* (await isLocked(options.directory)) ? streamFromNode(options) : options.checkDirectly()
      return
    } catch (error) {
      // A node started or stopped in between: try the other way. Neither has sent an event then.
      const changing = error instanceof NoAdminSocketError || error instanceof DataDirectoryInUseError
      if (!changing || performance.now() >= deadlineMs) throw error
    }
    await sleep(pollMs)
  }
}

async function* streamFromNode({ directory, input, signal }: Options): AsyncGenerator<CheckEvent> {
  const response = await send(adminSocketPath(directory), checkStream.path, { input, signal })
  try {
    for await (const text of linesOf(response)) {
      const line = parseLine(text)
      if ('ended' in line) return
      if ('message' in line) throw new Error(line.message)
      yield line.event
    }
  } finally {
    response.destroy()
  }
  signal.throwIfAborted()
  throw new Error('The running node closed the connection before the check was complete: try again.')
}

/** Ends early with a connection that is lost. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: response })
  } catch {
    // The last line says whether the response was whole.
  }
}

function parseLine(text: string): StreamLine {
  const parsed = streamLineSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new Error('The running node sent a response that this version does not understand.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
