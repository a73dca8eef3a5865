/** Finds what says how sources are started as a server: a Procfile, a script, or a library with its file. */
import { developmentServerIn } from './development-servers.ts'
import { type Found, hasFile } from './found.ts'
import { procfile, webCommand } from './procfile.ts'
import type { Scripts } from './scripts.ts'
import { entryFile, npmEntry, serverLibraryOf } from './server-libraries.ts'
import { firstPage } from './signs.ts'
import { resolveCalls, startScriptOf } from './start-script.ts'

/** A package by its manifest. */
export type Package = { fields: Record<string, unknown>; scripts: Scripts }

/**
 * `command` runs in the directory of the package. `sign` is what says so, as the beginning of a sentence.
 * Where that is a server for developers, `development` is its command, and `command` a better one or the
 * same.
 */
export type FoundServer = {
  library: string | undefined
  sign: string
  command: string
  development: string | undefined
}

/**
 * The server of sources of no known framework; undefined where nothing says that they are one. Beside a first
 * page, only a library counts, or a Procfile with a package.
 */
export async function findServer(found: Found, own: Package | undefined): Promise<FoundServer | undefined> {
  const isPage = found.namesIn('').has(firstPage)
  const byProcfile = isPage && !own ? undefined : await serverOfProcfile(found, own)
  if (byProcfile || !own) return byProcfile
  const server = serverOfPackage(found, own)
  const isUnsure = isPage || server?.development !== undefined
  return isUnsure && server?.library === undefined ? undefined : server
}

/**
 * The server that a package starts by its script `start`, else by the file of a library, or by the one that
 * npm starts; undefined where it says nothing.
 */
export function serverOfPackage(found: Found, { fields, scripts }: Package): FoundServer | undefined {
  const library = serverLibraryOf(fields)
  const script = startScriptOf(scripts)
  const entry = library === undefined ? npmEntryIn(found) : entryFile(found, fields, scripts.has('build'))
  const byEntry = entry === undefined ? undefined : `node ${entry}`
  if (script) {
    const { command, development } = script
    const sign = `package.json has the script "${script.script}"`
    return { library, sign, command: development === undefined ? command : (byEntry ?? command), development }
  }
  if (byEntry === undefined) return undefined
  return { library, sign: `${entry} is there`, command: byEntry, development: undefined }
}

/** The server by the line `web:` of the Procfile; undefined without one, or where it is too long. */
export async function serverOfProcfile(
  found: Found,
  own: Package | undefined,
): Promise<FoundServer | undefined> {
  if (!hasFile(found, procfile)) return undefined
  const web = webCommand(await found.textOf(procfile))
  const command = web === undefined ? undefined : resolveCalls(own?.scripts ?? new Map(), web)
  if (command === undefined) return undefined
  return {
    library: own && serverLibraryOf(own.fields),
    sign: `${procfile} has the line "web:"`,
    command,
    development: developmentServerIn(command),
  }
}

function npmEntryIn(found: Found): string | undefined {
  return hasFile(found, npmEntry) ? npmEntry : undefined
}

/** The sentence for a server that is none for visitors. */
export function developmentAdvice({ sign, command, development }: FoundServer): string {
  const better = command.includes(development ?? '') ? 'node server.js' : command
  return (
    `${sign} for ${development}, a server for developers, which visitors never get: ` +
    `set start to the command of the one for visitors, such as ${better}`
  )
}
