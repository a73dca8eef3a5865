/** Sees to it that a site is deployed and not, by mistake, the sources it is made of. */
import { join, relative, sep } from 'node:path'
import { describeSources } from '../../lib/frameworks/describe.ts'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { explain } from '../explain.ts'
import { type BuildableSources, buildHere } from '../frameworks/build-here.ts'
import type { Choice } from '../frameworks/choose.ts'
import { sourcesIn } from '../frameworks/recognize.ts'
import type { Io } from '../io.ts'
import { warn } from '../terminal/output.ts'
import type { Destination } from './destination.ts'
import { folderBelow } from './folder-below.ts'

/** A function that asks how sources are deployed for which nothing else says it. */
export type AskChoice = (sources: Sources) => Promise<Choice>

/**
 * The destination with the directory or the build settings that follow from the choice, which is asked for
 * where the sources of a known framework would be sent and nothing says what to do with them. Builds here
 * where that is the choice.
 * @throws Failure (2) where a choice is needed and nobody can be asked, or is impossible; (1) when the build
 * fails.
 */
export async function prepareSources(
  { io, api, askChoice }: { io: Io; api: Api; askChoice: AskChoice },
  destination: Destination,
  given: Choice | undefined,
): Promise<Destination> {
  if (given === undefined && isDecided(destination)) return destination
  const folder = given === undefined ? destination.root : destination.folder
  if (given === 'as-is') return (await isSite(folder)) ? destination : asItIs(destination, folder)
  const sources = await sourcesIn(folder)
  if (given === 'remote' && (destination.settings.build?.build_command || (await isBuilt(api, destination))))
    return withDirectory(destination, folder)
  if (!sources) {
    if (given === undefined) return destination
    throw usageFailure(
      `No known framework is in ${folder}. ` +
        "Build the site yourself and deploy the directory with it, or set the project's build command.",
    )
  }
  if (given === undefined && (await isBuilt(api, destination))) return destination
  const choice = given ?? (await askChoice(sources))
  if (choice === 'as-is') return asItIs(destination, folder)
  const { build, output, advice } = sources
  if (advice !== undefined) throw usageFailure(`${sources.framework}: ${advice}.`)
  if (build === undefined) {
    throw usageFailure(
      `${describeSources(sources)} Nothing says how they are built: ` +
        'set a build command with `svc projects set`, or deploy the directory with the site.',
    )
  }
  if (choice === 'remote') {
    if (sources.install !== undefined) await warnOfNoNetwork({ io, api })
    return withBuild({ ...destination, folder }, { ...sources, build, output })
  }
  const site = await buildHere(io, folder, { ...sources, build })
  return withDirectory(destination, folderBelow(folder, site))
}

/**
 * Whether `svc.json` says what is done with the files: by a `build`, also one without commands, or by its own
 * folder as the directory to send.
 */
function isDecided({ settings, hasDirectory, root, folder }: Destination): boolean {
  return settings.build !== undefined || (hasDirectory && root === folder)
}

/** Whether the files are a site; nobody knows of those with a manifest that can't be read. */
async function isSite(folder: string): Promise<boolean> {
  try {
    return (await sourcesIn(folder)) === undefined
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Says before anything is sent that packages can't be installed there. */
async function warnOfNoNetwork({ io, api }: { io: Io; api: Api }): Promise<void> {
  const { builds } = await api.account.get.query({})
  if (builds.install_problem !== null) warn(io, builds.install_problem)
}

/** Whether the project has a build command. */
async function isBuilt(api: Api, { project }: Destination): Promise<boolean> {
  const present = await api.projects.get.query({ project }).catch((error: unknown) => {
    if (explain(error).body.reason !== 'project_not_found') throw error
    return undefined
  })
  return Boolean(present?.build.build_command)
}

/** A file that names no directory is left so where its own folder is sent. */
function withDirectory(destination: Destination, root: string): Destination {
  const { link } = destination
  if (!link) return { ...destination, root }
  const below = relative(join(link.path, '..'), root).split(sep).join('/')
  const directory = below === '' && link.directory === undefined ? undefined : below || '.'
  return { ...destination, root, link: { ...link, directory } }
}

/** The decision is kept as a build without commands. */
function asItIs(destination: Destination, root: string): Destination {
  const { link, ...place } = withDirectory(destination, root)
  return { ...place, ...(link && { link: { ...link, build: link.build ?? {} } }) }
}

function withBuild(destination: Destination, { install, build, output }: BuildableSources): Destination {
  const settings = {
    install_command: install ?? null,
    build_command: build,
    ...(output !== undefined && { output_directory: output }),
  }
  const { link, ...place } = withDirectory(destination, destination.folder)
  return {
    ...place,
    settings: { ...destination.settings, build: settings },
    ...(link && { link: { ...link, build: settings } }),
  }
}
