/** Keeps files for tests as a build of a server does. */

import type { Workspace } from '../../../../src/platform/sandbox/workspace.ts'
import { collectKept, type Kept } from '../../../../src/platform/servers/kept-files/collect-kept.ts'
import { insertManifest, toEntries } from '../../../../src/platform/sites/manifest.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { findBlobs } from '../../../../src/stores/blobs/rows.ts'
import type { TestNode } from '../../../support/node.ts'

const caps = { maxFiles: 50_000, maxFileBytes: 10_000_000, maxDeploymentBytes: 100_000_000 }
const storage = { free: 0, pro: 0, enterprise: 0 }

type Options = { directory?: string; blobs?: BlobStore } & Partial<typeof caps>

/** Collects what is in the workspace's `directory`. */
export function collect(
  node: TestNode,
  teamId: string,
  workspace: Workspace,
  { directory = '.', blobs = node.installation.blobs, ...limits }: Options = {},
): Promise<Kept | { problem: string }> {
  const { store } = node.installation
  const deps = { store, blobs, storage, caps: { ...caps, ...limits }, nowMs: Date.now }
  return collectKept(deps, { teamId, workspace, directory }, new AbortController().signal)
}

/** Writes the manifest of what was collected; resolves to its id. */
export async function insertKept(
  node: TestNode,
  teamId: string,
  kept: Kept | { problem: string },
): Promise<number> {
  if ('problem' in kept) throw new Error(kept.problem)
  const { db } = node.installation.store
  const { files, links, executables } = kept
  const found = await findBlobs(
    db,
    teamId,
    files.map(({ sha256 }) => sha256),
    Date.now(),
  )
  const entries = toEntries(files, new Map(found.map((blob) => [blob.sha256, blob])))
  const manifest = { teamId, entries, rules: null, isServed: false, links, executables }
  return (await insertManifest(db, manifest, Date.now())).id
}
