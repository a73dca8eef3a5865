/** Runs a command line as this process: its streams, signals and exit code. */
import { setMaxListeners } from 'node:events'
import { CommanderError } from 'commander'
import { type FailureBody, interrupted } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { explain } from './explain.ts'
import type { Io } from './io.ts'
import { createProgram } from './program.ts'
import { warn, warnJson } from './terminal/output.ts'
import { joined } from './terminal/text.ts'

/** Runs `args` and sets the process's exit code, or ends the process on Ctrl-C. */
export async function main(args: string[]): Promise<void> {
  const { env, stdout, stderr } = process
  const stop = new AbortController()
  // Each concurrent request adds a listener.
  setMaxListeners(0, stop.signal)
  const unfinished = new Set<Promise<unknown>>()
  const stopped = new Promise<number>((resolve) => {
    process.once('SIGINT', async () => {
      stop.abort(interrupted())
      await Promise.allSettled(unfinished)
      resolve(exitCodes.interrupted)
    })
  })
  stdout.on('error', endQuietly)
  const io = {
    env,
    // Opened on first use: most commands don't read it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    signal: stop.signal,
    unfinished,
  }
  const code = await Promise.race([runCommand(args, io), stopped])
  process.exitCode = code
  // Something may still be pending, such as standard input, and Node's own way to exit is slower. Output to a
  // pipe that isn't written yet would be lost.
  if (code === exitCodes.interrupted || stdout.writableLength + stderr.writableLength === 0) process.exit()
}

/** The reader closed the pipe, as in `svc deployments | head -1`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  throw error
}

/**
 * Runs `args` and resolves to the exit code, having written to standard error what went wrong, if anything
 * did.
 */
export async function runCommand(args: string[], io: Io): Promise<number> {
  try {
    const program = await createProgram(io, args)
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
    const { body, exitCode } = explain(error)
    if (args.includes('--json')) warnJson(io, body)
    else warn(io, joined(linesOf(body), '\n'))
    return exitCode
  }
}

/** How many invalid fields are printed. */
const maxIssues = 10

/**
 * The message, which names the first invalid field, and the request id, then the other fields and what else
 * it is about.
 */
function linesOf({ message, items = [], issues = [], reason, request_id: requestId }: FailureBody): string[] {
  const others = issues.slice(1, maxIssues).map((issue) => `${issue.path}: ${issue.message}`)
  const request = reason === 'internal_error' && requestId ? ` (${requestId})` : ''
  return [`svc: ${message}${request}`, ...items, ...others]
}
