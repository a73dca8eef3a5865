/** What a command has of the world: streams, environment, and the wish to stop. */
import type { Command } from 'commander'

export type Io = {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** Aborts when the person presses Ctrl-C; its reason is a Failure. */
  signal: AbortSignal
}

/** The options that every command takes. */
export type GlobalOptions = {
  /** The address of the server. */
  url?: string
  /** Whether the output is JSON. */
  json?: boolean
}

/** The global options as they were given, before or after the command's name. */
export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>()
}
