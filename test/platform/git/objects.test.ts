/** Blobs are read by one program, in turn, whatever reads them and however many at once. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openObjects } from '../../../src/platform/git/objects.ts'
import { GitFailed } from '../../../src/platform/git/run-git.ts'
import { newWorkTree, type WorkTree } from '../../support/work-tree.ts'

let tree: WorkTree
const large: Buffer[] = [1, 2, 3, 4].map((at) => Buffer.alloc(400_000 + at, `large ${at}`))
const small: Buffer[] = [1, 2, 3, 4].map((at) => Buffer.from(`small ${at}`))

beforeAll(async () => {
  tree = await newWorkTree()
  const files = [...large, ...small].map((content, at) => [`file-${at}`, content])
  await tree.commit(Object.fromEntries(files))
})

function open() {
  const objects = openObjects(join(tree.directory, '.git'), new AbortController().signal)
  onTestFinished(objects.close)
  return objects
}

async function idOf(content: Buffer): Promise<string> {
  const at = [...large, ...small].indexOf(content)
  return (await tree.git('rev-parse', `HEAD:file-${at}`)).output
}

/** How many programs read in the repository now. */
async function readers(): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(tree.directory) && line.includes('cat-file')).length
}

it('those that are requested at once come whole, from one program', async () => {
  const objects = open()
  const mixed = large.flatMap((content, at) => [content, small[at] ?? content])
  const ids = await Promise.all(mixed.map(idOf))
  const most = { readers: 0 }
  const read = await Promise.all(
    mixed.map(async ({ length }, at) => {
      const parts: Buffer[] = []
      for await (const part of objects.read(ids[at] ?? '', length)) {
        parts.push(part)
        if (length > 1_000) most.readers = Math.max(most.readers, await readers())
      }
      return Buffer.concat(parts)
    }),
  )
  for (const [at, content] of mixed.entries()) expect(read[at]?.equals(content)).toBe(true)
  expect(most.readers).toBe(1)
})

it('goes on with another program after a rest, of which there is none meanwhile', async () => {
  const objects = open()
  const [content] = large
  const id = await idOf(content ?? Buffer.alloc(0))
  for (let times = 0; times < 2; times += 1) {
    expect(await buffer(objects.read(id, 400_001))).toHaveLength(400_001)
    objects.rest()
    await expect.poll(readers).toBe(0)
  }
})

it('a large one that is given up lets the next ones fail, and keeps none waiting', async () => {
  const objects = open()
  const [first, second] = await Promise.all(large.slice(0, 2).map(idOf))
  const given = objects.read(first ?? '', 400_001)
  await given.next()
  const after = buffer(objects.read(second ?? '', 400_002))
  await given.return(undefined)
  await expect(after).rejects.toThrow(GitFailed)
})

it.each([
  ['of another size', 'HEAD:file-0', 7],
  ['that is a directory', 'HEAD^{tree}', 7],
  ['that is nowhere', '', 7],
])('one %s is refused', async (_what, name, size) => {
  const id = name === '' ? 'f'.repeat(40) : (await tree.git('rev-parse', name)).output
  await expect(buffer(open().read(id, size))).rejects.toThrow(GitFailed)
})
