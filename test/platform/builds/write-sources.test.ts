import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { writeSources } from '../../../src/platform/builds/write-sources.ts'
import { clearWorkspaces, makeWorkspace, removeWorkspace } from '../../../src/platform/sandbox/workspace.ts'
import { manifestEntries } from '../../../src/stores/db/schema/manifests.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { newWorkspace } from './build.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const deps = () => ({ db: node.installation.store.db, blobs: node.installation.blobs })
const never = new AbortController().signal

async function manifestOf(files: Record<string, string>): Promise<number> {
  const team = await newTeam(node)
  const made = await deploy(team, {
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  })
  const [row] = await deps().db.select().from(deployments).where(eq(deployments.id, made.id))
  if (!row?.manifestId) throw new Error('The deployment has no manifest.')
  return row.manifestId
}

describe('the files of a manifest', () => {
  it('are in the workspace as they were deployed, and its scripts are executable', async () => {
    const files = {
      'a.txt': 'A',
      'deep/er/b.txt': 'B',
      'deep/c.txt': '',
      'run.sh': '#!/bin/sh\n',
      'ü 🚀': 'u',
    }
    const workspace = await newWorkspace('bubblewrap')
    await writeSources(deps(), await manifestOf(files), workspace, never)
    for (const [path, content] of Object.entries(files)) {
      expect(await readFile(join(workspace.files, path), 'utf8')).toBe(content)
    }
    const { mode, uid } = await stat(join(workspace.files, 'run.sh'))
    expect(mode & 0o111).toBe(0o111)
    expect(uid).toBe(workspace.owner ?? process.getuid?.())
    await removeWorkspace(workspace)
  })

  it('are written concurrently', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i % 7}/${i}`, `${i}`]))
    const workspace = await newWorkspace()
    await writeSources(deps(), await manifestOf(files), workspace, never)
    const found = await readdir(workspace.files, { recursive: true })
    expect(found.length).toBe(300 + 7)
    await removeWorkspace(workspace)
  })

  it('never leave the workspace', async () => {
    for (const path of ['../outside', '/etc/outside', 'a/../../outside']) {
      const manifestId = await manifestOf({ 'a.txt': unique() })
      await deps().db.update(manifestEntries).set({ path }).where(eq(manifestEntries.manifestId, manifestId))
      const workspace = await newWorkspace()
      await expect(writeSources(deps(), manifestId, workspace, never)).rejects.toThrow(
        /path ".*outside" must/,
      )
      expect(await readdir(workspace.directory)).not.toContain('outside')
      await removeWorkspace(workspace)
    }
  })

  it('are no longer written once the build is canceled', async () => {
    const manifestId = await manifestOf({ 'a.txt': unique() })
    const workspace = await newWorkspace()
    await expect(writeSources(deps(), manifestId, workspace, AbortSignal.abort())).rejects.toThrow(/abort/)
    expect(await readdir(workspace.files)).toEqual([])
    await removeWorkspace(workspace)
  })
})

describe('workspaces', () => {
  it('are accessible to the build only', async () => {
    const workspace = await newWorkspace('bubblewrap')
    expect((await stat(workspace.directory)).mode & 0o777).toBe(0o700)
    expect((await stat(workspace.files)).mode & 0o777).toBe(0o700)
    expect((await stat(workspace.files)).uid).toBe(workspace.owner ?? process.getuid?.())
    await removeWorkspace(workspace)
  })

  it('that a dead worker left behind are removed, whatever they contain', async () => {
    const root = join(inject('directory'), `builds-${randomUUID()}`)
    await clearWorkspaces(root)
    const { files } = await makeWorkspace(root, undefined)
    await mkdir(join(files, 'closed'))
    await writeFile(join(files, 'closed/x'), 'x')
    await chmod(join(files, 'closed'), 0)
    await clearWorkspaces(root)
    expect(await readdir(root)).toEqual([])
  })
})

function unique(): string {
  return randomUUID()
}
