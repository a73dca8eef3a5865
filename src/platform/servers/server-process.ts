/** One process of an application's server, as the node that runs it sees it. */
import type { Redactor } from '../sandbox/redact.ts'
import type { BuildLine } from '../sandbox/run-sandboxed.ts'
import type { NodeRuntime } from '../sandbox/runtime-of.ts'
import type { Uids } from '../sandbox/uids.ts'
import type { Team } from './way-out/guard.ts'
import type { Reach } from './way-out/plan.ts'
import type { WayOut } from './way-out/way-out.ts'

/** The parts that all servers of a node share. */
export type ServerDeps = {
  isolation: 'bubblewrap' | 'none'
  /** The directory of their sockets, `runDirectory(SVC_DATA_DIR)`. */
  root: string
  uids: Uids
  node: NodeRuntime
  /** Whether control groups limit memory here, from `canLimitMemory`. */
  hasGroups: boolean
  wayOut: WayOut
  nowMs: () => number
}

/** A line of a server's output, without escape sequences, control characters and secrets. */
export type ServerLine = BuildLine

/**
 * A server to start. `files` is a directory of this host, which it sees read-only; `directory`, in which
 * `command` runs, is relative to that, and so are `caches`, directories that it may write to. `env` is
 * `serverEnvironment`'s. Without `leaving` it reaches nothing. `onLine`, `onDropped`, which gets how many
 * lines of a flood were not read, and `onRefused`, which gets a sentence about a place out of reach, must not
 * throw.
 */
export type ServerStart = {
  files: string
  command: string
  directory: string
  caches?: string[] | undefined
  env: Record<string, string>
  memoryBytes: number
  /** The uid of the files, where nobody else may read them; by default a server has one of its own. */
  owner?: number | undefined
  leaving?: { team: Team; reach: Reach } | undefined
  redactor: Redactor
  onLine: (line: ServerLine) => void
  onDropped: (lines: number) => void
  onRefused: (text: string) => void
}

/** How a process ended: `signal` is derived from `code` by the convention of shells. */
export type Ending = { code: number; signal: string | undefined; outOfMemory: boolean }

export type ServerProcess = {
  /** A Unix socket that takes HTTP/1.1 in clear. */
  socketPath: string
  /** Resolves at the first connection. @throws StartFailed with a sentence for the deployer. */
  listening: Promise<void>
  /** Resolves when no process is left, and everything of it is removed; never rejects. */
  ended: Promise<Ending>
  /** Bytes that it keeps in memory, files in memory among them, but without what the kernel can evict. */
  memoryBytes(): Promise<number>
  /** Ends it with SIGTERM and, after `graceMs`, SIGKILL; resolves once it has ended. */
  stop(graceMs: number): Promise<void>
  /** Kills all its processes, soon. */
  kill(): void
}

/** A server that does not listen on its port; the message is a sentence for the deployer. */
export class StartFailed extends Error {
  override name = 'StartFailed'
}
