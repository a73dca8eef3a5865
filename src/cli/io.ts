/** A command's environment: streams, variables, and the signal to stop. */
import type { Command } from 'commander'

export type Io = {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** Aborts when the user presses Ctrl-C; its reason is a Failure. */
  signal: AbortSignal
  /** Is told what `warn` writes, where nobody reads standard error. */
  noted?: (line: string) => void
  /** The work that the process then waits for, before it ends. */
  unfinished?: Set<Promise<unknown>>
}

/** The options of every command. */
export type GlobalOptions = {
  /** The address of the server. */
  url?: string
  /** Whether the output is JSON. */
  json?: boolean
}

/** The global options, given before or after the command's name. */
export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>()
}
