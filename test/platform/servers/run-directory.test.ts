import { mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bindSocket } from '../../../src/platform/servers/listening-socket.ts'
import { openRunDirectory, socketPath } from '../../../src/platform/servers/run-directory.ts'

const newData = () => mkdtemp(join(tmpdir(), 'svc-'))

it('what an earlier process left is removed, and what this one has made stays', async () => {
  const data = await newData()
  const root = await openRunDirectory(data)
  const path = socketPath(root)
  const { release, remove } = await bindSocket(path)
  release()
  await writeFile(join(root, 'left'), '')
  await mkdir(join(root, 'left.d'))
  for (const name of ['left', 'left.d']) await utimes(join(root, name), 1, 1)
  await openRunDirectory(data)
  expect(await readdir(root)).toEqual([path.slice(root.length + 1)])
  await remove()
  expect(await readdir(root)).toEqual([])
})

it('a directory whose sockets would have too long a path is refused with what to do', async () => {
  const data = join(await newData(), 'x'.repeat(80))
  await expect(openRunDirectory(data)).rejects.toThrow(/^SVC_DATA_DIR \(.*\) is \d+ bytes too long/)
})
