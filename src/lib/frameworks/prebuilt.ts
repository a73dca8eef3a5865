/** Recognizes the output of a framework whose server was built elsewhere. */
import type { Package } from './find-server.ts'
import type { Found } from './found.ts'
import { type ServerOutput, usualServerOutput } from './server-output.ts'

/**
 * Names at the root of sources: what has them is built, even where an output is beside them. Nuxt and Nitro
 * need no more than their configuration; an output of theirs is complete without it.
 */
const sourceName = /^(?:src|app|pages|routes|api|server|app\.vue|(?:nuxt|nitro)\.config\.\w+)$/

/** The output in files without the sources that it was built from; undefined where there is none. */
export async function findPrebuilt(
  found: Found,
  own: Package | undefined,
  framework: string | undefined,
): Promise<ServerOutput | undefined> {
  if ([...found.namesIn('')].some((name) => sourceName.test(name))) return undefined
  const output = await usualServerOutput(found, own, framework)
  return output && 'command' in output ? output : undefined
}

/** The directories of outputs that have packages of their own, which no build installs again. */
const complete = String.raw`\.next/standalone|\.output/server`
const startsIn = new RegExp(`^node (${complete})/`)
const packages = new RegExp(`^(?:${complete})/(?:.*/)?node_modules/`)

/** The directory with the packages of the server that the command starts; undefined where it has none. */
export function directoryOfPackages(start: string | null | undefined): string | undefined {
  return startsIn.exec(start ?? '')?.[1]
}

/** The rest of a path below the packages of such an output, else the path. */
export function pathAmongPackages(path: string): string {
  return path.replace(packages, '')
}
