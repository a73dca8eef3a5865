import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { syncDirectory } from '../../../src/stores/blobs/sync-directory.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-sync-'))
})

afterEach(() => rm(directory, { recursive: true }))

it('resolves for concurrent callers, and lets late ones join one more sync instead', async () => {
  const first = syncDirectory(directory)
  const second = syncDirectory(directory)
  const third = syncDirectory(directory)
  expect(second).not.toBe(first)
  expect(third).toBe(second)
  await Promise.all([first, second, third])
  const later = syncDirectory(directory)
  expect(later).not.toBe(second)
  await later
})

it('keeps directories apart', async () => {
  const other = join(directory, 'other')
  await mkdir(other)
  expect(syncDirectory(other)).not.toBe(syncDirectory(directory))
  await Promise.all([syncDirectory(other), syncDirectory(directory)])
})

it('fails without a directory, and works again once there is one', async () => {
  const missing = join(directory, 'missing')
  const failing = [syncDirectory(missing), syncDirectory(missing), syncDirectory(missing)]
  for (const each of await Promise.allSettled(failing)) expect(each.status).toBe('rejected')
  await mkdir(missing)
  await syncDirectory(missing)
})
