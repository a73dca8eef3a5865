/** Decides what a deployment consists of and which project it is for. */
import { join, relative, resolve, sep } from 'node:path'
import { usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { pickProject } from '../connection/pick-project.ts'
import type { Io } from '../io.ts'
import {
  type FileSettings,
  type FoundProjectFile,
  findProjectFile,
  projectFileName,
} from '../project-file/project-file.ts'
import { suggestName } from '../project-file/write-project-file.ts'
import { realpathIfAny } from '../real-path.ts'
import { ask } from '../terminal/prompt.ts'
import { folderBelow } from './folder-below.ts'
import { isBelow } from './is-below.ts'

export type Destination = {
  project: string
  /** The directory to send. */
  root: string
  /** Where the sources of the site are, if it has any: that of `svc.json`, else `root`. */
  folder: string
  /** Whether `svc.json` names the directory to send. */
  hasDirectory: boolean
  /** To apply before the deployment. */
  settings: FileSettings
  /** Where `svc.json` is written afterwards, and what goes into it. */
  link?: Pick<FileSettings, 'build' | 'start'> & {
    path: string
    isNew: boolean
    directory: string | undefined
  }
}

/** The `svc.json` of the directory that is deployed, else that of the working directory. */
export function findLink(cwd: string, directory: string | undefined): FoundProjectFile | undefined {
  const above = directory === undefined ? undefined : findProjectFile(realpathIfAny(resolve(cwd, directory)))
  return above ?? findProjectFile(realpathIfAny(cwd))
}

type Given = { cwd: string; directory: string | undefined; project: string | undefined; prod: boolean }

/**
 * The destination by `--project`, `svc.json`, or what the person answers.
 * @throws Failure (2) without a terminal when production is wanted and neither names the project.
 */
export async function findDestination(
  { io, api }: { io: Io; api: Api },
  linked: FoundProjectFile | undefined,
  given: Given,
): Promise<Destination> {
  const cwd = realpathIfAny(given.cwd)
  const named = given.directory === undefined ? undefined : realpathIfAny(resolve(cwd, given.directory))
  if (linked) {
    const isWhole = named === undefined || named === linked.folder
    const place = {
      root: isWhole ? folderBelow(linked.folder, linked.directory) : named,
      folder: isWhole ? linked.folder : named,
      hasDirectory: isWhole && linked.directory !== undefined,
    }
    const { settings, path, directory } = linked
    const project = linked.project ?? (await projectOf({ io, api }, cwd, given))
    if (given.project !== undefined && given.project !== project) {
      return { ...place, project: given.project, settings: {} }
    }
    return { ...place, project, settings, ...(isWhole && { link: { path, isNew: false, directory } }) }
  }
  const root = named ?? cwd
  const place = { root, folder: root, hasDirectory: false, settings: {} }
  const project = await projectOf({ io, api }, cwd, given)
  const isChosen = given.project !== undefined || io.stdin.isTTY
  return { ...place, project, ...(isChosen && linkOf(cwd, root)) }
}

async function projectOf(
  { io, api }: { io: Io; api: Api },
  folder: string,
  { project, prod }: Given,
): Promise<string> {
  if (project !== undefined) return project
  if (io.stdin.isTTY) return askProject(io, folder)
  if (prod) {
    throw usageFailure(
      'Which project is this? ' +
        `Pass --project <name>, or run \`svc link <name>\` here, which writes ${projectFileName}.`,
    )
  }
  return (await pickProject(api, undefined)).name
}

/** A directory outside of the working directory says nothing about it. */
function linkOf(cwd: string, root: string): Pick<Destination, 'link'> {
  const below = relative(cwd, root)
  if (!isBelow(below)) return {}
  const directory = below === '' ? undefined : below.split(sep).join('/')
  return { link: { path: join(cwd, projectFileName), isNew: true, directory } }
}

/** The project for a folder, for which its name is offered. */
export async function askProject(io: Io, folder: string): Promise<string> {
  const suggested = suggestName(folder)
  const answer = await ask(io, `Project for this directory [${suggested}]: `)
  return answer.trim() || suggested
}
