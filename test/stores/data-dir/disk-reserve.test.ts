/** Space that stays free on a disk. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import {
  createDiskReserve,
  unreserved,
  whileDiskHasSpace,
} from '../../../src/stores/data-dir/disk-reserve.ts'
import { fillDisk, mountSmallDisk } from '../../support/small-disk.ts'

/** More than any disk has. */
const all = 1024 ** 5

const never = new AbortController().signal

it('503 disk_full where less is free than is kept, and nothing is kept for 0', async () => {
  const disk = createDiskReserve(inject('directory'), all)
  expect(await disk.isFull()).toBe(true)
  await expect(disk.require()).rejects.toMatchObject({ reason: 'disk_full', code: 'SERVICE_UNAVAILABLE' })
  expect(createDiskReserve(inject('directory'), 0)).toBe(unreserved)
})

it('what is to come counts', async () => {
  const disk = createDiskReserve(inject('directory'), 1)
  await disk.require(1)
  await expect(disk.require(all)).rejects.toMatchObject({ reason: 'disk_full' })
  expect(await disk.isFull()).toBe(false)
})

it('without a setting 5 % of a small disk are kept; it is looked at once a second', async ({ skip }) => {
  const directory = await mountSmallDisk('4m')
  if (directory === undefined) return skip('this process may not mount a tmpfs')
  let nowMs = 0
  const disk = createDiskReserve(directory, undefined, () => nowMs)
  expect(await disk.isFull()).toBe(false)
  const makeRoom = await fillDisk(directory, 180)
  expect(await disk.isFull()).toBe(false)
  nowMs += 1_000
  expect(await disk.isFull()).toBe(true)
  await makeRoom()
  await fillDisk(directory, 240)
  nowMs += 1_000
  expect(await disk.isFull()).toBe(false)
})

it('a disk that can’t be looked at refuses nothing', async () => {
  await createDiskReserve('/nonexistent/directory', all).require()
})

it('what is under way when the space is used is stopped, with that reason', async () => {
  let nowMs = 0
  let isFull = false
  const disk = {
    ...unreserved,
    require: () => createDiskReserve(inject('directory'), isFull ? all : 1, () => nowMs++).require(),
  }
  const writing = whileDiskHasSpace(disk, never, async (signal) => {
    isFull = true
    await sleep(60_000, undefined, { signal })
  })
  await expect(writing).rejects.toMatchObject({ reason: 'disk_full' })
  await expect(whileDiskHasSpace(disk, never, async () => 'begun')).rejects.toMatchObject({
    reason: 'disk_full',
  })
  isFull = false
  expect(await whileDiskHasSpace(disk, never, async () => 'written')).toBe('written')
})
