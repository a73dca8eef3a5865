/**
 * The program makes backups by schedule: they can be restored, what dies in the middle counts for nothing,
 * and nothing of others is removed.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { accessTo } from '../operate/backup/places.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { type Program, startProgram } from '../support/program.ts'
import { startS3 } from '../support/s3/server.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const run = promisify(execFile)
const cleanUps = createCleanUps()

const readySchema = z.looseObject({
  degraded: z.array(z.string()),
  backup: z.looseObject({ last: z.looseObject({ bytes: z.number() }).nullable() }),
  alerts: z.array(z.looseObject({ name: z.string(), message: z.string() })),
})

async function readinessOf({ apiUrl }: Program) {
  return readySchema.parse(await (await fetch(`${apiUrl}/readyz`)).json())
}

async function newPlace(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-scheduled-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

const wholeIn = async (place: string) =>
  (await readdir(place, { recursive: true })).filter((path) => path.endsWith('backup.json'))

const slowly = { timeout: 60_000 }

it('into a directory, from which they are restored', { timeout: 120_000 }, async () => {
  const place = await newPlace()
  await mkdir(join(place, '2020-01-01T00-00-00.000Z'))
  await writeFile(join(place, '2020-01-01T00-00-00.000Z', 'mine.txt'), 'kept')
  const schedule = { SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO: place, SVC_BACKUP_KEEP: '1' }
  const environment = { SVC_DATA_DIR: await cleanUps.newDirectory() }
  const program = await startProgram({ ...environment, ...schedule })
  await expect.poll(() => wholeIn(place), slowly).toHaveLength(1)
  await expect.poll(async () => (await readinessOf(program)).backup.last, slowly).not.toBeNull()
  expect((await readinessOf(program)).degraded).not.toContain('backup')
  await program.end('SIGTERM')
  expect(await readdir(join(place, '2020-01-01T00-00-00.000Z'))).toEqual(['mine.txt'])
  const target = await cleanUps.newDirectory()
  const env = {
    PATH: process.env.PATH,
    SVC_DATA_DIR: target,
    SVC_ENCRYPTION_KEY: '',
  }
  const command = ['dist/svc.cjs', 'admin', 'restore', place, '--new-key']
  const { stdout } = await run(process.execPath, command, { env })
  expect(stdout).toContain('Restored backup')
})

it('killed in the middle, nothing counts, and the next node makes one', { timeout: 120_000 }, async () => {
  const place = await newPlace()
  const environment = {
    SVC_DATA_DIR: await cleanUps.newDirectory(),
    SVC_BACKUP_EVERY: '1d',
    SVC_BACKUP_TO: place,
  }
  const first = await startProgram(environment)
  await expect.poll(() => readdir(place), { ...slowly, interval: 5 }).not.toEqual([])
  await first.end('SIGKILL')
  const before = await wholeIn(place)
  const second = await startProgram(environment)
  await expect.poll(() => wholeIn(place), slowly).toHaveLength(1)
  const named = async () => (await readdir(place)).filter((name) => name !== 'blobs')
  await expect.poll(named, slowly).toHaveLength(1)
  expect(before.length).toBeLessThanOrEqual(1)
  await second.end('SIGTERM')
})

it('into a bucket', { timeout: 120_000 }, async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const program = await startProgram({
    ...accessTo(s3),
    SVC_DATA_DIR: await cleanUps.newDirectory(),
    SVC_BACKUP_EVERY: '1d',
    SVC_BACKUP_TO: `s3://${s3.address.bucket}/backups`,
  })
  await expect.poll(async () => (await readinessOf(program)).backup.last, slowly).not.toBeNull()
  await program.end('SIGTERM')
})

it('a place that is full is an alert with the reason', { timeout: 120_000 }, async ({ skip }) => {
  const place = await mountSmallDisk('256k')
  if (place === undefined) return skip('this process may not mount a tmpfs')
  const program = await startProgram({
    SVC_DATA_DIR: await cleanUps.newDirectory(),
    SVC_BACKUP_EVERY: '1d',
    SVC_BACKUP_TO: place,
  })
  await expect.poll(async () => (await readinessOf(program)).degraded, slowly).toContain('backup')
  const { alerts, backup } = await readinessOf(program)
  const alert = alerts.find(({ name }) => name === 'backup_failed')
  expect(alert?.message).toMatch(/^The backup to the place of backups failed .* nearly full/)
  expect(backup.last).toBeNull()
  expect(await wholeIn(place)).toEqual([])
  await program.end('SIGTERM')
})

it('a place in the data directory, also by a link, or that is missing, is refused', async () => {
  const directory = await cleanUps.newDirectory()
  const place = await newPlace()
  await mkdir(join(directory, 'inside'))
  await symlink(join(directory, 'inside'), join(place, 'link'))
  const start = (SVC_BACKUP_TO: string) =>
    startProgram({ SVC_DATA_DIR: directory, SVC_BACKUP_EVERY: '1d', SVC_BACKUP_TO })
  await expect(start(join(place, 'link'))).rejects.toThrow('is in SVC_DATA_DIR')
  await expect(start(join(place, 'nothing'))).rejects.toThrow('is no directory that is there')
}, 60_000)
