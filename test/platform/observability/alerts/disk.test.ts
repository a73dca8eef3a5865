/** The alerts of a disk. */
import { expect, inject, it } from 'vitest'
import { lookAtDisk } from '../../../../src/platform/observability/alerts/disk.ts'
import { createDiskReserve, unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { fillDisk, mountSmallDisk } from '../../../support/small-disk.ts'

it('from 90 % used on it is low, and full where the reserve is used or nothing is left', async ({ skip }) => {
  const directory = await mountSmallDisk('40m')
  if (directory === undefined) return skip('this process may not mount a tmpfs')
  const namesWith = async (left: number, reserve = unreserved) => {
    const makeRoom = await fillDisk(directory, left)
    const { alerts, space } = await lookAtDisk(directory, reserve)
    await makeRoom()
    return {
      names: alerts.map(({ name }) => name),
      percent: space?.free_percent,
      keeps: alerts.some(({ message }) => message.includes('kept free')),
    }
  }
  expect(await namesWith(4_400)).toMatchObject({ names: [], percent: expect.closeTo(10.7, 0) })
  expect(await namesWith(4_000)).toMatchObject({
    names: ['disk_low'],
    percent: expect.closeTo(9.8, 0),
  })
  expect(await namesWith(1_900, createDiskReserve(directory, undefined))).toMatchObject({
    names: ['disk_full'],
    keeps: true,
  })
  // Nothing is left to keep.
  expect(await namesWith(200, createDiskReserve(directory, undefined))).toMatchObject({
    names: ['disk_full'],
    keeps: false,
  })
  expect(await namesWith(1_900)).toMatchObject({ names: ['disk_low'] })
  expect(await namesWith(800)).toMatchObject({ names: ['disk_full'] })
})

it('has the place, the free bytes and what to do', async () => {
  const directory = inject('directory')
  const { space, alerts } = await lookAtDisk(directory, createDiskReserve(directory, 1024 ** 5))
  expect(alerts).toEqual([
    {
      name: 'disk_full',
      place: directory,
      figure: space?.free_bytes,
      unit: 'free_bytes',
      isOfMachine: true,
      message: expect.stringMatching(/^The disk of \S+ is full: .* are free, and kept free .*Make room/),
    },
  ])
})

it('a disk that can’t be looked at has no alerts', async () => {
  expect(await lookAtDisk('/nonexistent/directory', unreserved)).toEqual({ space: undefined, alerts: [] })
})
