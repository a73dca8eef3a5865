/** Collects what the edge serves beside the server of a framework: files with a hash in their names. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerOutput } from '../../lib/frameworks/server-output.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { type CheckedFile, fileListOf } from '../sites/file-list.ts'
import { type Collected, collectOutput, type OutputDeps } from './collect-output.ts'
import { collectServed } from './collect-served.ts'

type Place = { teamId: string; workspace: Workspace; rootDirectory: string }

/**
 * The assets at the paths at which visitors find them, and the rules of the root directory. Once it resolves,
 * the team has the blobs of the files.
 * @throws as `collectOutput` does.
 */
export async function collectAssets(
  deps: OutputDeps,
  { output, ...place }: Place & { output: ServerOutput },
  signal: AbortSignal,
): Promise<Collected> {
  const rules = await collectServed(deps, { ...place, outputDirectory: undefined }, signal)
  if ('problem' in rules) return rules
  const files: CheckedFile[] = []
  for (const { from, at } of output.assets) {
    const { workspace, rootDirectory } = place
    const isThere = await stat(join(workspace.files, rootDirectory, from)).catch(() => undefined)
    if (!isThere) continue
    const found = await collectOutput(deps, { ...place, outputDirectory: from, before: new Map() }, signal)
    if ('problem' in found) return found
    for (const file of found.files) files.push({ ...file, path: `${at}/${file.path}`, index: files.length })
  }
  return { ...fileListOf(files), ruleFiles: rules.ruleFiles }
}
