/** Sees to it that a site is deployed and not, by mistake, the sources it is made of. */
import { join, relative, sep } from 'node:path'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import { usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { explain } from '../explain.ts'
import { buildHere } from '../frameworks/build-here.ts'
import type { Choice } from '../frameworks/choose.ts'
import { recognize } from '../frameworks/recognize.ts'
import type { Io } from '../io.ts'
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
  const sources = recognize(given === undefined ? destination.root : destination.folder)
  if (!sources) {
    if (given === undefined || given === 'as-is') return destination
    throw usageFailure(
      `No known framework is in ${destination.folder}. ` +
        "Build the site yourself and deploy the directory with it, or set the project's build command.",
    )
  }
  if (given === undefined && (await isDecided(api, destination))) return destination
  const choice = given ?? (await askChoice(sources))
  if (choice === 'as-is') return withDirectory(destination, destination.folder)
  if (sources.advice !== undefined) throw usageFailure(`${sources.framework}: ${sources.advice}.`)
  if (choice === 'remote') return withBuild(destination, sources)
  await buildHere(io, destination.folder, sources)
  return withDirectory(destination, folderBelow(destination.folder, sources.output))
}

/** Whether `svc.json` or the project says what is done with the files. */
async function isDecided(api: Api, { project, settings, hasDirectory }: Destination): Promise<boolean> {
  if (hasDirectory || settings.build?.build_command) return true
  const present = await api.projects.get.query({ project }).catch((error: unknown) => {
    if (explain(error).body.reason !== 'project_not_found') throw error
    return undefined
  })
  return Boolean(present?.build.build_command)
}

function withDirectory(destination: Destination, root: string): Destination {
  const { link } = destination
  if (!link) return { ...destination, root }
  const directory = relative(join(link.path, '..'), root).split(sep).join('/')
  return { ...destination, root, link: { ...link, directory: directory || '.' } }
}

function withBuild(destination: Destination, { install, build, output }: Sources): Destination {
  const settings = {
    install_command: install ?? null,
    build_command: build,
    output_directory: output,
  }
  const { link, folder } = destination
  return {
    ...destination,
    root: folder,
    settings: { ...destination.settings, build: settings },
    ...(link && { link: { ...link, build: settings } }),
  }
}
