/** Whether the dashboard is being built, as far as the user of a node may see. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isBeingBuilt } from '../../../../src/api/server/dashboard/dashboard.ts'
import { lockDataDirectory } from '../../../../src/stores/data-dir/lock.ts'

/** The user `nobody` of Linux. */
const nobody = 65_534

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-being-built-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

it('it is while a process holds the directory', async () => {
  const directory = await newDirectory()
  expect(await isBeingBuilt(directory)).toBe(false)
  const lock = await lockDataDirectory(directory)
  expect(await isBeingBuilt(directory)).toBe(true)
  await lock.release()
  expect(await isBeingBuilt(directory)).toBe(false)
})

it.skipIf(process.getuid?.() !== 0)(
  'is not known of a build of another user, which is no failure',
  async () => {
    const directory = await newDirectory()
    await chmod(directory, 0o755)
    const lock = await lockDataDirectory(directory)
    onTestFinished(() => lock.release())
    process.seteuid?.(nobody)
    try {
      expect(await isBeingBuilt(directory)).toBe(false)
    } finally {
      process.seteuid?.(0)
    }
  },
)
