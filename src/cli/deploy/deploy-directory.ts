/** Deploys a directory to the project that it belongs to, which is created if it is missing. */
import { realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { directoryOfPackages } from '../../lib/frameworks/prebuilt.ts'
import { usageFailure } from '../command-failure.ts'
import { connectTo } from '../connection/connect-linked.ts'
import { explain } from '../explain.ts'
import type { Choice } from '../frameworks/choose.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { writeLink } from '../project-file/write-project-file.ts'
import { warn } from '../terminal/output.ts'
import { deploySite } from './deploy-site.ts'
import { type Destination, findDestination, findLink } from './destination.ts'
import { isBelow } from './is-below.ts'
import { recall } from './last-deployment.ts'
import { createProject, prepareProject } from './prepare-project.ts'
import { type AskChoice, prepareSources } from './prepare-sources.ts'
import { createProgress } from './progress.ts'
import { sourceMeta } from './source-meta.ts'
import { requireDirectory, walkSite } from './walk-site.ts'

export type DeployRequest = {
  /** The working directory, from which `directory` is given. */
  cwd: string
  /** Default: what `svc.json` says, or `cwd`. From an archive it is where that was unpacked. */
  directory: string | undefined
  archive?: string | undefined
  /** The team for which a job's identity token is exchanged; default: `SVC_TEAM`. */
  team?: string | undefined
  project: string | undefined
  prod: boolean
  meta: Record<string, string>
  /** The choice for the sources of a framework, and what is asked where there is none. */
  choice: Choice | undefined
  askChoice: AskChoice
  /** If set, a directory (its real path): nothing outside of it is deployed. */
  within?: string
}

/**
 * Deploys the directory, and resolves to the deployment and the client that made it.
 * @throws Failure for what can't be deployed or sent; TRPCClientError for the server's refusals.
 */
export async function deployDirectory(io: Io, shared: GlobalOptions, request: DeployRequest) {
  const { cwd, directory, archive, team, project, prod, meta, choice, askChoice, within } = request
  // Before anything is asked or created.
  if (directory !== undefined) requireDirectory(resolve(cwd, directory))
  const linked = findLink(cwd, archive === undefined ? directory : dirname(archive))
  const { api, url, peer } = connectTo(io, shared, linked, { team, project })
  const { link: place, ...rest } = await findDestination({ io, api }, linked, {
    cwd,
    directory,
    project,
    prod,
  })
  // Nothing is deployed again from where an archive was unpacked.
  const found = place && archive === undefined ? { ...rest, link: place } : rest
  const destination = await prepareSources({ io, api, askChoice }, found, choice)
  const { root, settings, link } = destination
  requireDirectory(root)
  if (within !== undefined) requireWithin(within, root)
  if (linked && directory === undefined && linked.folder !== realpathSync.native(cwd)) {
    warn(io, `Deploying ${root}, as ${linked.path} says.`)
  }
  // A directory that can't be deployed creates nothing.
  const complete = settings.build?.build_command ? undefined : directoryOfPackages(settings.start)
  const files = await walkSite(root, io.signal, complete)
  // The call that deploys reports a missing project, too: as a rule this one would only cost time.
  const needsProject = link?.isNew || Object.keys(settings).length > 0
  if (needsProject) await prepareProject({ io, api }, destination.project, settings)
  const noted = sourceMeta(archive === undefined ? root : dirname(archive), io.env, (problem) =>
    warn(io, problem),
  )
  const progress = createProgress(io, shared.json === true)
  const deps = {
    api,
    env: io.env,
    server: { url, peer },
    destination: `${url} ${destination.project}`,
    memory: recall(io.env, archive ?? root, Date.now()),
    progress,
    signal: io.signal,
    note: (sentence: string) => warn(io, sentence),
  }
  const site = {
    files,
    project: destination.project,
    target: prod ? 'production' : 'preview',
    meta: { ...noted, ...meta },
  } as const
  try {
    const deployment = await deploySite(deps, site).catch(async (error: unknown) => {
      progress.end()
      if (explain(error).body.reason !== 'project_not_found') throw error
      await createProject({ io, api }, destination.project, {})
      return deploySite(deps, site)
    })
    if (destination.link?.isNew || destination !== found) keepLink(io, url, destination)
    return { api, deployment }
  } finally {
    progress.end()
  }
}

/** @throws Failure (2) for a directory that is outside of `within`, also by way of links. */
export function requireWithin(within: string, directory: string): void {
  if (isBelow(relative(within, realpathSync.native(directory)))) return
  throw usageFailure(`directory: ${directory} is not in ${within}, and nothing else is deployed from here.`)
}

/**
 * Writes `svc.json` after the first deployment from a directory, or where what becomes of its sources was
 * chosen.
 */
function keepLink(io: Io, server: string, { project, link }: Destination): void {
  if (!link) return
  try {
    const { path, isNew, ...kept } = link
    writeLink(path, { project, server, ...kept })
    if (isNew) warn(io, `Wrote ${projectFileName}: from now on this directory is deployed to ${project}.`)
  } catch (error) {
    // The deployment is there all the same.
    warn(
      io,
      `${projectFileName} could not be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
