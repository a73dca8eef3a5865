/** A control group of version 2, as a tree of files: what is written where. */
import { chown, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { makeRoom, nodeGroup } from '../../../src/platform/sandbox/delegated-group.ts'

/** Root may give files away; anybody else has them. */
const owner = process.getuid?.() === 0 ? 4711 : (process.getuid?.() ?? 0)

type Group = { processes: string; controllers?: string; uid?: number }

/** As the kernel shows it, with the group below it that the kernel would fill with files. */
async function makeGroup({ processes, controllers = 'cpu memory', uid = owner }: Group): Promise<string> {
  const directory = await mkdtemp(join(inject('directory'), 'group-'))
  await mkdir(join(directory, nodeGroup))
  const files = {
    'cgroup.procs': processes,
    'cgroup.controllers': `${controllers}\n`,
    'cgroup.subtree_control': '',
    [`${nodeGroup}/cgroup.procs`]: '',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
  if (uid !== process.getuid?.()) await chown(directory, uid, uid)
  return directory
}

const read = (directory: string, name: string) => readFile(join(directory, name), 'utf8')

describe.runIf(process.platform === 'linux')('a delegated control group', () => {
  it('has its processes moved into one below it, and limits those beside that one', async () => {
    const directory = await makeGroup({ processes: '4242\n' })
    await makeRoom(directory, owner)
    expect(await read(directory, `${nodeGroup}/cgroup.procs`)).toBe('4242')
    expect(await read(directory, 'cgroup.subtree_control')).toMatch(/^\+(memory|cpu|io)/)
  })

  it.runIf(process.getuid?.() === 0)('of somebody else, or of root, is left alone', async () => {
    for (const uid of [0, 4712]) {
      const directory = await makeGroup({ processes: '4242\n', uid })
      await makeRoom(directory, uid === 0 ? 0 : owner)
      expect(await read(directory, `${nodeGroup}/cgroup.procs`)).toBe('')
    }
  })

  it('without the controller of memory is left alone', async () => {
    const directory = await makeGroup({ processes: '4242\n', controllers: 'cpu pids' })
    await makeRoom(directory, owner)
    expect(await read(directory, `${nodeGroup}/cgroup.procs`)).toBe('')
    expect(await read(directory, 'cgroup.subtree_control')).toBe('')
  })

  it('that turns out to be an ordinary directory gets no files', async () => {
    const directory = await mkdtemp(join(inject('directory'), 'group-'))
    await makeRoom(directory, process.getuid?.())
    expect(await readdir(directory)).toEqual([])
  })
})
