/** The directory of one build. */
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { createUids } from '../../../src/platform/sandbox/uids.ts'
import { makeWorkspace } from '../../../src/platform/sandbox/workspace.ts'

const all = 4_336

it.runIf(process.getuid?.() === 0)('leaves its uid to another one where it can’t be made', async () => {
  const directory = await mkdtemp(join(inject('directory'), 'workspaces-'))
  const root = join(directory, 'root')
  await writeFile(root, 'in the way')
  const uids = createUids(async () => new Set())
  const taken = await Promise.all(Array.from({ length: all - 1 }, () => uids.take()))
  for (let tries = 0; tries < 2; tries += 1)
    await expect(makeWorkspace(root, uids)).rejects.toThrow('ENOTDIR')
  expect(taken).not.toContain(await uids.take())
  expect(await readdir(directory)).toEqual(['root'])
})
