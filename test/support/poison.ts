/** Commits that are small to send, and large to look at. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkTree } from './work-tree.ts'

type Made = { mode: string; name: string | Buffer; id: string }

/** Makes commits in a work tree by git's plumbing, which checks nothing. */
export function poisonIn(tree: WorkTree) {
  async function store(kind: string, content: Buffer): Promise<string> {
    const file = join(tree.directory, '.git', 'made')
    await writeFile(file, content)
    return (await tree.git('hash-object', '-t', kind, '-w', '--literally', file)).output
  }

  const blob = () => store('blob', Buffer.from('x'))

  function treeOf(entries: Made[]): Promise<string> {
    const parts = entries.map(({ mode, name, id }) =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.alloc(1), Buffer.from(id, 'hex')]),
    )
    return store('tree', Buffer.concat(parts))
  }

  async function commitOf(made: string): Promise<string> {
    return (await tree.git('commit-tree', made, '-m', 'Change')).output
  }

  return {
    blob,
    treeOf,
    commitOf,
    /** One file whose name has so many bytes. */
    async ofLongName(bytes: number): Promise<string> {
      return commitOf(await treeOf([{ mode: '100644', name: 'n'.repeat(bytes), id: await blob() }]))
    },
    /** A page, and directories within directories that have no file in the end. */
    async ofDirectories(width: number, depth: number): Promise<string> {
      const page = { mode: '100644', name: 'index.html', id: await blob() }
      let id = await treeOf([])
      for (let level = 1; level <= depth; level += 1) {
        const below = Array.from({ length: width }, (_, at) => ({
          mode: '40000',
          name: `d${String(at).padStart(3, '0')}`,
          id,
        }))
        id = await treeOf(level === depth ? [...below, page] : below)
      }
      return commitOf(id)
    },
    /** So many files below directories within one another, each with so long a name. */
    async ofDeepFiles(
      count: number,
      { levels, nameBytes }: { levels: number; nameBytes: number },
    ): Promise<string> {
      const id = await blob()
      let made = await treeOf(
        Array.from({ length: count }, (_, at) => ({
          mode: '100644',
          name: `f${String(at).padStart(7, '0')}`,
          id,
        })),
      )
      for (let level = 0; level < levels; level += 1)
        made = await treeOf([{ mode: '40000', name: 'd'.repeat(nameBytes), id: made }])
      return commitOf(made)
    },
    /** A page, and a message of so many bytes. */
    async ofLongMessage(bytes: number, parent?: string): Promise<string> {
      const page = await treeOf([{ mode: '100644', name: 'index.html', id: await blob() }])
      const file = join(tree.directory, '.git', 'message')
      await writeFile(file, 'm'.repeat(bytes))
      const parents = parent === undefined ? [] : ['-p', parent]
      return (await tree.git('commit-tree', page, ...parents, '-F', file)).output
    },
  }
}
