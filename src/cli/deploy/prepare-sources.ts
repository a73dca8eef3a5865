/** Sees to it that a site is deployed and not, by mistake, the sources it is made of. */
import { dirname, relative, sep } from 'node:path'
import { describeServer, describeSources } from '../../lib/frameworks/describe.ts'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import type { Workspace } from '../../lib/frameworks/workspace.ts'
import { needsWorker } from '../../lib/needs-worker.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { explain } from '../explain.ts'
import { buildHere } from '../frameworks/build-here.ts'
import type { Choice } from '../frameworks/choose.ts'
import { workspaceAround } from '../frameworks/place.ts'
import { sourcesIn } from '../frameworks/recognize.ts'
import type { Io } from '../io.ts'
import type { FileSettings } from '../project-file/project-file.ts'
import { warn } from '../terminal/output.ts'
import type { Destination } from './destination.ts'
import { folderBelow } from './folder-below.ts'
import { isBelow } from './is-below.ts'

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
  const { build: decided } = destination.settings
  if (given === undefined && isDecided(destination)) return asBuilt(destination, decided)
  const folder = given === undefined ? destination.root : destination.folder
  if (given === 'as-is') return (await isSite(folder)) ? destination : asItIs(destination, folder)
  const sources = await sourcesIn(folder)
  if (given === 'remote') {
    const known = decided?.build_command ? decided : await buildOf(api, destination)
    if (known) return asBuilt(withDirectory(destination, folder), known)
  }
  if (!sources) {
    if (given === undefined) return destination
    throw usageFailure(
      `No known framework is in ${folder}. ` +
        "Build the site yourself and deploy the directory with it, or set the project's build command.",
    )
  }
  if (given === undefined) {
    const known = await buildOf(api, destination)
    if (known) return asBuilt(destination, known)
  }
  const { build, isServer, start, advice } = sources
  const staysSite = given === undefined && start !== undefined && (await wasStatic(api, destination))
  if (staysSite && sources.hasPage) {
    warn(io, `${describeSources(sources)} ${remarkOfSite}`)
    return destination
  }
  const choice = given ?? (isServer && !staysSite ? 'remote' : await askChoice(sources))
  if (choice === 'as-is') return asItIs(destination, folder)
  if (advice !== undefined) throw usageFailure(`${sources.framework ?? 'A server'}: ${advice}.`)
  if (choice === 'remote' && (isServer || build !== undefined)) {
    if (sources.install !== undefined) await warnOfNoNetwork({ io, api })
    const workspace = await workspaceAround(folder)
    if (workspace) warn(io, `Sends the workspace ${workspace.root}, with which ${folder} is installed.`)
    if (isServer) warn(io, describeServer(sources))
    return withBuild({ ...destination, folder }, sources, workspace)
  }
  if (isServer)
    throw usageFailure(`${describeSources(sources)} It is built where it runs: leave --build out.`)
  if (build === undefined) {
    throw usageFailure(
      `${describeSources(sources)} Nothing says how they are built: ` +
        'set a build command with `svc projects set`, or deploy the directory with the site.',
    )
  }
  const site = await buildHere(io, folder, { ...sources, build })
  return withDirectory(destination, folderBelow(folder, site))
}

const remarkOfSite =
  'The last deployment was a static site, and so is this one: ' +
  'choose remote (svc deploy --remote) for a server.'

/**
 * Whether `svc.json` says what is done with the files: by a `build`, also one without commands, by the
 * command that starts a server, or by its own folder as the directory to send.
 */
function isDecided({ settings, hasDirectory, root, folder }: Destination): boolean {
  return settings.build !== undefined || Boolean(settings.start) || (hasDirectory && root === folder)
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

type Build = NonNullable<FileSettings['build']>

/** The build settings of the project, if the server builds it or starts it. */
async function buildOf(api: Api, { project }: Destination): Promise<Build | undefined> {
  const present = await api.projects.get.query({ project }).catch((error: unknown) => {
    if (explain(error).body.reason !== 'project_not_found') throw error
    return undefined
  })
  return present && needsWorker({ ...present.build, start: present.start }) ? present.build : undefined
}

/** As many of the newest deployments are looked at. */
const maxDeployments = 20

/** Whether the last ready deployment of the project, but for those of pull requests, is a static site. */
async function wasStatic(api: Api, { project }: Destination): Promise<boolean> {
  const { data } = await api.deployments.list.query({ project, state: 'ready', limit: maxDeployments })
  return data.find(({ untrusted }) => !untrusted)?.server === null
}

/**
 * The destination of what is built: the workspace where the root directory is the path of the package in it,
 * so that a `svc.json` beside the package is enough.
 */
async function asBuilt(destination: Destination, build: FileSettings['build']): Promise<Destination> {
  const folder = build?.root_directory
  if (!folder || folder === '.') return destination
  const workspace = await workspaceAround(destination.root)
  return workspace?.folder === folder ? { ...destination, root: workspace.root } : destination
}

/** A file that names no directory is left so where its own folder is sent. */
function withDirectory(destination: Destination, root: string): Destination {
  const { link } = destination
  if (!link) return { ...destination, root }
  const below = relative(dirname(link.path), root).split(sep).join('/')
  const directory = below === '' && link.directory === undefined ? undefined : below || '.'
  return { ...destination, root, link: { ...link, directory } }
}

/** The decision is kept as a build without commands. */
function asItIs(destination: Destination, root: string): Destination {
  const { link, ...place } = withDirectory(destination, root)
  return { ...place, ...(link && { link: { ...link, build: link.build ?? {} } }) }
}

function withBuild(
  destination: Destination,
  { install, build, output, start }: Sources,
  workspace: Workspace | undefined,
): Destination {
  const settings = {
    build: {
      install_command: install ?? null,
      build_command: build ?? null,
      ...(output !== undefined && { output_directory: output }),
      ...(workspace && { root_directory: workspace.folder }),
    },
    ...(start !== undefined && { start }),
  }
  const { link, ...place } = withDirectory(destination, directoryOf(destination, workspace))
  return {
    ...place,
    root: workspace?.root ?? place.root,
    settings: { ...destination.settings, ...settings },
    ...(link && { link: { ...link, ...settings } }),
  }
}

/** The directory for `svc.json`, which names none above its own. */
function directoryOf({ link, folder }: Destination, workspace: Workspace | undefined): string {
  const isNamed = link && workspace && isBelow(relative(dirname(link.path), workspace.root))
  return isNamed ? workspace.root : folder
}
