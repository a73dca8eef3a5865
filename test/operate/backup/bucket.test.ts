/**
 * Backups in a bucket, and of installations whose files are in one.
 * @module-tag long
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { type BackedUp, blobFiles, newPlace, startBackedUp, target } from './backed-up.ts'
import { accessTo, newSurroundings, startOn } from './places.ts'
import { expectWhole, makeSample } from './sample.ts'

let backedUp: BackedUp
let s3: S3Server
let access: Record<string, string>

beforeAll(async () => {
  backedUp = await startBackedUp()
  s3 = await startS3()
  access = accessTo(s3)
}, 120_000)

afterAll(async () => {
  await s3.close()
  await backedUp.close()
})

it('a backup in a directory restores into a bucket', async () => {
  const other = await backedUp.expectRestored(await target({ s3 }), backedUp.place)
  expect((await other.installation.origin.readOwner()) ?? '').toMatch(/^[\w-]{36}$/)
})

const backUpToBucket = () =>
  backedUp.svc(['admin', 'backup', 's3://blobs/backups', '--with-key', '--keep', '1'], {
    env: { ...backedUp.source.env, ...access },
  })

it('a backup in a bucket takes the place of an older one', async () => {
  expect(await backUpToBucket()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('s3://blobs/backups/ is complete'),
  })
  expect((await backUpToBucket()).stdout).toContain('1 older backups and 0 files removed')
})

it('a backup in a bucket restores everything', async () => {
  const into = await target()
  Object.assign(into.env, access)
  await backedUp.expectRestored(into, 's3://blobs/backups')
})

it('files in one are backed up by copying or by reference, and looked for in the restore', async () => {
  const own = await newSurroundings({ s3 })
  const first = await startOn(own)
  const made = await makeSample(first)
  const [copied, referenced] = [await newPlace(), await newPlace()]
  const run = (...args: string[]) => backedUp.svc(['admin', ...args], { env: own.env })
  expect(await run('backup', copied, '--with-key')).toMatchObject({ code: 0 })
  const { code, stdout } = await run('backup', referenced, '--with-key', '--blobs', 'reference')
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`they stay in ${own.env.SVC_BLOBS}`),
  })
  expect(await blobFiles(referenced)).toEqual([])
  await first.stop()

  const into = await target({ s3 })
  expect((await backedUp.restore(into, referenced)).stderr).toContain('missing')
  into.env.SVC_BLOBS = own.env.SVC_BLOBS ?? ''
  const restored = await backedUp.restore(into, referenced)
  expect(restored).toMatchObject({ code: 0 })
  const second = await startOn(into)
  await expectWhole(second, made)
  await second.stop()

  const elsewhere = await target({ s3 })
  expect(await backedUp.restore(elsewhere, copied)).toMatchObject({ code: 0 })
  const third = await startOn(elsewhere)
  await expectWhole(third, made)
  await third.stop()
  await own.drop()
})

it('files that are not in one can’t be backed up by reference', async () => {
  const { code, stderr } = await backedUp.svc(['admin', 'backup', await newPlace(), '--blobs', 'reference'], {
    env: backedUp.source.env,
  })
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Only files in a bucket'),
  })
})
