/** The packs of attacks are ones that git reads, whatever it thinks of what is in them. */
import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { commitOf, objectOf, page, pageEntry, treeOf } from './objects.ts'
import { deltaOf, packOf, pushOf } from './pack.ts'

it('git reads objects and deltas of a pack, and checks out what they are', async () => {
  const directory = await mkdtemp(join(inject('directory'), 'pack-'))
  const git = (args: string[], input?: Buffer) =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', ...(input && { input }) }).trim()
  git(['init', '--quiet', '--bare'])
  // Larger than one instruction copies, and than one byte of a size or an offset says.
  const base = objectOf('blob', Buffer.alloc(20 * 1024 * 1024, 'abcdefg'))
  const changed = Buffer.from(base.content)
  changed.write('the end', changed.length - 7)
  const made = objectOf('blob', changed)
  const tree = treeOf([
    { mode: '100644', name: 'a.bin', id: base.id },
    { mode: '100644', name: 'b.bin', id: made.id },
    pageEntry,
  ])
  const commit = commitOf(tree)
  const pack = packOf([base, page, tree, commit], [deltaOf(base, Buffer.from('the end'))])
  git(['index-pack', '--stdin', '--strict'], pack)
  git(['fsck', '--strict'])
  expect(git(['ls-tree', '-r', commit.id])).toContain(`100644 blob ${made.id}\tb.bin`)
  expect(git(['cat-file', '-s', made.id])).toBe(String(changed.length))
})

it('a push names the branches and what they come from, and ends with the pack', () => {
  const [from, to] = ['a'.repeat(40), 'b'.repeat(40)]
  const body = pushOf(
    [
      { branch: 'main', to },
      { branch: 'next', from, to },
    ],
    Buffer.from('PACK'),
  )
  expect(body.toString()).toBe(
    `0082${'0'.repeat(40)} ${to} refs/heads/main\0 report-status side-band-64k` +
      `0065${from} ${to} refs/heads/next0000PACK`,
  )
})
