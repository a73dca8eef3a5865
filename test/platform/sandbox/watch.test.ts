import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { listTree, readMemory } from '../../../src/platform/sandbox/process-tree.ts'
import { type Exceeded, watchUse } from '../../../src/platform/sandbox/watch.ts'
import { removeWorkspace } from '../../../src/platform/sandbox/workspace.ts'
import { createDiskReserve, unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { mebibyte, newWorkspace, testLimits } from '../builds/build.ts'

/** Two processes below a shell, each with this much memory in use; prints a line for each. */
function spawnTwo(bytes: number) {
  const part =
    `node -e 'const all = Buffer.alloc(${bytes}, 1); ` +
    "console.log(all.length); setTimeout(() => all.fill(2), 60000)'"
  const shell = spawn('/bin/sh', ['-c', `${part} & ${part} & wait`], { detached: true })
  return { shell, end: () => process.kill(-(shell.pid ?? 0), 'SIGKILL') }
}

it('the memory of all processes is counted together', async () => {
  const { shell, end } = spawnTwo(60 * mebibyte)
  const workspace = await newWorkspace()
  const pid = shell.pid ?? 0
  const limits = { ...testLimits, memoryBytes: 110 * mebibyte }
  const exceeded = await new Promise<Exceeded>((resolve) => {
    watchUse({ pid, workspace, limits, group: undefined, disk: unreserved }, resolve)
  })
  expect(exceeded).toBe('memory_limit')
  const pids = await listTree(pid)
  expect(pids.length).toBe(3)
  expect((await readMemory(pids, [])).residentBytes).toBeGreaterThan(limits.memoryBytes)
  end()
  await once(shell, 'close')
  expect((await readMemory(pids, [])).residentBytes).toBe(0)
  await removeWorkspace(workspace)
})

it('a disk that is nearly full ends it, whoever filled it', async () => {
  const { shell, end } = spawnTwo(mebibyte)
  const workspace = await newWorkspace()
  const watched = { pid: shell.pid ?? 0, workspace, limits: testLimits, group: undefined }
  const disk = createDiskReserve(workspace.directory, 1024 ** 5)
  const exceeded = await new Promise<Exceeded>((resolve) => {
    watchUse({ ...watched, disk }, resolve)
  })
  expect(exceeded).toBe('disk_full')
  end()
  await once(shell, 'close')
  await removeWorkspace(workspace)
})

it('is silent once it has ended', async () => {
  const { shell, end } = spawnTwo(mebibyte)
  const workspace = await newWorkspace()
  const limits = { ...testLimits, memoryBytes: 1 }
  const seen: Exceeded[] = []
  const endWatch = watchUse(
    { pid: shell.pid ?? 0, workspace, limits, group: undefined, disk: unreserved },
    (what) => seen.push(what),
  )
  endWatch()
  end()
  await once(shell, 'close')
  expect(seen).toEqual([])
  await removeWorkspace(workspace)
})
