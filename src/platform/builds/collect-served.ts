/** Collects the site beside a server: the files that a setting names, and the rules of requests. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import { readBounded } from '../../stores/data-dir/read-bounded.ts'
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import { defaultBuild } from '../projects/field-facts.ts'
import { isBelow } from '../sandbox/left-files.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { type CheckedFile, type FileList, fileListOf } from '../sites/file-list.ts'
import { maxRuleFileBytes } from '../sites/read-rules.ts'
import { type Collected, collectOutput, type OutputDeps } from './collect-output.ts'
import { outputIn } from './read-server-facts.ts'

/** `outputDirectory` is undefined where no setting names one: then no file is served. */
type Served = {
  teamId: string
  workspace: Workspace
  rootDirectory: string
  outputDirectory: string | undefined
}

/** The output directory, if the project's settings, or the deployment's own, name it. */
export function namedOutput({
  build,
  buildGiven,
}: Pick<BuildJob, 'build' | 'buildGiven'>): string | undefined {
  const isGiven = typeof buildGiven?.output_directory === 'string'
  return isGiven || build.output_directory !== defaultBuild.output_directory
    ? build.output_directory
    : undefined
}

/**
 * The files in the output directory, with `_redirects` and `_headers` of it, else of the root directory,
 * whose rules count without being served. Once it resolves, the team has the blobs of the files.
 * @throws as `collectOutput` does.
 */
export async function collectServed(
  deps: OutputDeps,
  { outputDirectory, ...place }: Served,
  signal: AbortSignal,
): Promise<Collected> {
  const own = await collectFiles(deps, { outputDirectory, ...place }, signal)
  if ('problem' in own) return own
  const directory = join(place.workspace.files, place.rootDirectory)
  const redirects = own.ruleFiles.redirects ?? readRuleFile(directory, '_redirects')
  const headers = own.ruleFiles.headers ?? readRuleFile(directory, '_headers')
  if (redirects && 'problem' in redirects) return redirects
  if (headers && 'problem' in headers) return headers
  return { ...own, ruleFiles: { redirects, headers } }
}

async function collectFiles(
  deps: OutputDeps,
  { outputDirectory, ...place }: Served,
  signal: AbortSignal,
): Promise<Collected> {
  if (outputDirectory === undefined) return noFiles
  const { workspace, rootDirectory } = place
  const at = { files: workspace.files, root: rootDirectory, output: outputDirectory }
  if ((await outputIn(at)) === 'nothing') return noFiles
  const [root, output] = await Promise.all(
    [at.root, join(at.root, at.output)].map((path) => realpath(join(at.files, path))),
  )
  if (isBelow(root ?? '', output ?? '')) {
    const problem =
      `The output directory ${spelledOut(outputDirectory)} has the files of the server itself, which no ` +
      'visitor may read: set output_directory to a directory of files for visitors, or to null.'
    return { problem }
  }
  return collectOutput(deps, { ...place, outputDirectory, before: new Map() }, signal)
}

const noFiles: FileList = fileListOf([])

/** The file with its bytes; undefined without one. */
function readRuleFile(directory: string, path: string): CheckedFile | { problem: string } | undefined {
  const read = readBounded(join(directory, path), { maxBytes: maxRuleFileBytes, links: 'refused' })
  if (!read) return undefined
  if ('problem' in read) return { problem: `${path} ${read.problem}.` }
  return { index: 0, path, sha256: '', size: read.bytes.length, bytes: read.bytes }
}
