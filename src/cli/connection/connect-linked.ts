/** Connects to the server that a directory's `svc.json` belongs to. */
import { usageFailure } from '../command-failure.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { type FoundProjectFile, findProjectFile } from '../project-file/project-file.ts'
import { connect } from './connect.ts'
import type { Scope } from './identity/exchanged-jwts.ts'

/**
 * As `connect`, and the `svc.json` of `start`, if it has one. A file may come from anybody, so it never
 * decides where a key from the environment is sent.
 * @throws Failure (2) when the file is wrong, or belongs to another server than the one selected; (3) when
 * not logged in
 *   to its server.
 */
export function connectLinked(io: Io, options: GlobalOptions, scope: Scope = {}) {
  return connectTo(io, options, findProjectFile(process.cwd()), scope)
}

/** The same with a file that is known already, which names the project where `scope` doesn't. */
export function connectTo(
  io: Io,
  options: GlobalOptions,
  linked: FoundProjectFile | undefined,
  scope: Scope = {},
) {
  const { team, project = linked?.project } = scope
  const connection = connect(io, optionsFor(io, options, linked), { team, project })
  requireServer(linked, connection.url)
  return { ...connection, linked }
}

/** The options with the file's server where no other one is selected. */
export function optionsFor(
  io: Io,
  options: GlobalOptions,
  linked: FoundProjectFile | undefined,
): GlobalOptions {
  const server = linked?.server
  const isSelected = options.url !== undefined || io.env.SVC_URL || io.env.SVC_TOKEN
  return server === undefined || isSelected ? options : { ...options, url: server }
}

/** @throws Failure (2) when the file belongs to another server than the one at `url`. */
export function requireServer(linked: FoundProjectFile | undefined, url: string): void {
  const server = linked?.server
  if (!linked || server === undefined || server === url) return
  throw usageFailure(
    `${linked.path} is for ${server}, not for ${url}: pass --url ${server}, or change its server.`,
  )
}
