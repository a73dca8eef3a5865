/** Finds what is never deployed in the project that a site is part of. */
import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { dataFiles, isNeverDeployed } from '../../lib/names/never-deployed.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { isBelow } from './is-below.ts'

/** How far above a site the folder of its project may be. */
const maxFoldersAbove = 8

/** The most entries of the project, without what is in dependencies and repositories. */
const maxEntries = 100_000

type LeftOut = {
  project: string
  /** Files and directories, relative to the site. */
  paths: string[]
  /** Whether all of the project was seen. */
  isAll: boolean
}

/**
 * The files that are left out, by name, of the project around the site in `top`, and not of the site itself.
 * Without dependencies, which are much, no secret, and linked by some tools.
 */
export async function leftOutAround(top: string, signal: AbortSignal): Promise<LeftOut> {
  const project = projectAround(top)
  const paths: string[] = []
  const folders = project === undefined ? [] : [project]
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined && seen <= maxEntries; folder = folders.pop()) {
    await turn()
    signal.throwIfAborted()
    const entries = entriesOf(folder)
    seen += entries.length
    const isData = entries.some(({ name }) => dataFiles.includes(name)) && !isWithin(folder, top)
    if (isData) paths.push(folder)
    for (const entry of isData ? [] : entries) {
      const path = join(folder, entry.name)
      if (path === top || entry.name === 'node_modules') continue
      const isLeftOut = isNeverDeployed(entry.name) || entry.name === projectFileName
      if (isLeftOut && !isWithin(path, top)) paths.push(path)
      else if (entry.isDirectory()) folders.push(path)
    }
  }
  return {
    project: project ?? top,
    paths: paths.map((path) => relative(top, path)),
    isAll: seen <= maxEntries,
  }
}

/**
 * The closest folder above with `svc.json` or `.git`, or the working directory, if the site is below that:
 * the higher one, since both files may be somebody else's.
 */
function projectAround(top: string): string | undefined {
  const working = realpathSync.native(process.cwd())
  const marked = markedAbove(top)
  if (working === top || !isWithin(working, top)) return marked
  return marked === undefined || isWithin(working, marked) ? working : marked
}

/** Whether `path` is the folder, or in it. */
function isWithin(folder: string, path: string): boolean {
  return isBelow(relative(folder, path))
}

function markedAbove(top: string): string | undefined {
  let folder = dirname(top)
  for (let count = 0; count < maxFoldersAbove && folder !== dirname(folder); count += 1) {
    if (entriesOf(folder).some(({ name }) => name === projectFileName || name === '.git')) return folder
    folder = dirname(folder)
  }
  return undefined
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Some of it may be closed to this user.
    return []
  }
}
