/** Whoever holds a lock knows who held it before, and nobody else. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { beginTenure, findTenure, tenuresOf } from '../../../src/stores/data-dir/tenures.ts'

const newFile = async () => tenuresOf(await mkdtemp(join(inject('directory'), 'tenures-')))

it('earlier ones are over, the present one is not, nor is one of another lock', async () => {
  const file = await newFile()
  const first = await beginTenure(file)
  expect(first.isOver(first.id)).toBe(false)
  const second = await beginTenure(file)
  const other = await beginTenure(await newFile())
  expect([first.id, second.id, other.id].map(second.isOver)).toEqual([true, false, false])
})

it('another process of those that hold it together has the same', async () => {
  const file = await newFile()
  expect(await findTenure(file)).toBeUndefined()
  const first = await beginTenure(file)
  const second = await beginTenure(file)
  const found = await findTenure(file)
  expect(found?.id).toBe(second.id)
  expect([first.id, second.id].map((id) => found?.isOver(id))).toEqual([true, false])
})

it('a file that was cut off is as good as one without its last lines', async () => {
  const file = await newFile()
  const first = await beginTenure(file)
  await writeFile(file, `${first.id}\n${'a'.repeat(20)}`)
  const second = await beginTenure(file)
  expect([first.id, second.id].map(second.isOver)).toEqual([true, false])
})

it('only so many are remembered', async () => {
  const file = await newFile()
  const ids = Array.from({ length: 100 }, (_, at) => at.toString(16).padStart(32, '0'))
  await writeFile(file, ids.join('\n'))
  const tenure = await beginTenure(file)
  expect([ids[0], ids[1]].map((id) => tenure.isOver(id ?? ''))).toEqual([false, true])
})
