/**
 * A restore that fails or dies on the way leaves the old installation, the new one, or what says what to run.
 * @module-tag long
 */
import type { ChildProcess } from 'node:child_process'
import { cp, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readRestoring } from '../../../src/operate/backup/restore-state.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { fillDisk, mountSmallDisk, pinDirectory } from '../../support/small-disk.ts'
import { type BackedUp, keyOf, startBackedUp, target } from './backed-up.ts'
import { cutAtCommit } from './cut-at-commit.ts'
import { type Surroundings, startOn } from './places.ts'
import { expectWhole, makeSample, type Sample } from './sample.ts'

/** Several restores and starts, on a busy machine. */
const patienceMs = 120_000

const onPostgres = Boolean(process.env.TEST_ON)

let backedUp: BackedUp
let s3: S3Server

beforeAll(async () => {
  backedUp = await startBackedUp()
  s3 = await startS3()
}, 120_000)

afterAll(async () => {
  await backedUp.close()
  await s3.close()
})

beforeEach(() => s3.fail(() => undefined))

const directoryOf = ({ env }: Surroundings) => env.SVC_DATA_DIR ?? ''

/** Fails unless a node starts on it and serves the sample. */
async function expectStarts(on: Surroundings, sample: Sample): Promise<void> {
  const node = await startOn(on)
  await expectWhole(node, sample).finally(node.stop)
  expect(await readRestoring(directoryOf(on))).toBeUndefined()
}

/** Makes an installation with a sample of its own, which the backup is to replace. */
async function makeOld(into: Surroundings): Promise<Sample> {
  if (onPostgres) into.env.SVC_ENCRYPTION_KEY = await keyOf(backedUp.source)
  const node = await startOn(into)
  return makeSample(node).finally(node.stop)
}

/** Runs the restore as a process of its own, and calls `act` once it says `what`. */
function restoreUntil(into: Surroundings, { what, act }: { what: RegExp; act(child: ChildProcess): void }) {
  const started = (child: ChildProcess) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      const before = said
      said += chunk
      if (what.test(said) && !what.test(before)) act(child)
    })
  }
  return backedUp.svc(['admin', 'restore', backedUp.place, '--replace'], { env: into.env, started })
}

/** Kills it while the bucket is about to have another owner: all is ready, and only that has begun. */
async function killWhileSwitching(into: Surroundings): Promise<void> {
  await restoreUntil(into, {
    what: /Restoring/,
    act: (child) =>
      s3.fail((method, key) => {
        if (method !== 'PUT' || !key.endsWith('/installation')) return undefined
        child.kill('SIGKILL')
        return { hang: true }
      }),
  })
  s3.fail(() => undefined)
  expect((await readRestoring(directoryOf(into)))?.phase).toBe('switching')
}

describe('a restore that is killed', () => {
  it('while it switches leaves the new installation, or the old one before the commit', async () => {
    const into = await target({ s3 })
    const old = await makeOld(into)
    await killWhileSwitching(into)
    await expectStarts(into, onPostgres ? old : backedUp.sample)
  })

  it.runIf(!onPostgres)(
    'after any step of the switch leaves the new installation',
    async () => {
      const into = await target({ s3 })
      await makeOld(into)
      await killWhileSwitching(into)
      const left = await readRestoring(directoryOf(into))
      const steps = [
        ['encryption.key', left?.keyAside ?? ''],
        ['encryption.key.restored', 'encryption.key'],
        ['db', 'db.replaced'],
        ['db.restored', 'db'],
      ] as const
      const directory = directoryOf(into)
      for (const [from, to] of steps) {
        await rename(join(directory, from), join(directory, to))
        const copy = `${directory}-${from}`
        await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') })
        const env = { ...into.env, SVC_DATA_DIR: copy }
        const check = await backedUp.svc(['admin', 'check', '--deep'], { env })
        expect(check).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
        await expect(stat(join(copy, 'db.replaced'))).rejects.toThrow('ENOENT')
      }
      await backedUp.svc(['admin', 'check'], { env: into.env })
      await expectStarts(into, backedUp.sample)
    },
    patienceMs,
  )
})

describe('a restore that fails', () => {
  it('for lack of space says how many bytes are missing, and leaves what was there', async ({ skip }) => {
    const disk = await mountSmallDisk('80m')
    if (!disk) return skip('this process may not mount a tmpfs')
    const into = await target()
    into.env.SVC_DATA_DIR = join(disk, 'data')
    const old = await makeOld(into)
    const free = await fillDisk(disk, 28)
    const { code, stderr } = await backedUp.restore(into, backedUp.place, '--replace')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/, so \d+ are missing[\s\S]*Nothing was changed/),
    })
    await free()
    await expectStarts(into, old)
  })

  it('because the disk is full at last says so, and leaves what was there', async ({ skip }) => {
    const disk = await mountSmallDisk('150m')
    if (!disk) return skip('this process may not mount a tmpfs')
    const into = await target()
    into.env.SVC_DATA_DIR = join(disk, 'data')
    const old = await makeOld(into)
    let free = async () => {}
    const { code, stderr } = await restoreUntil(into, {
      what: /Loading the database/,
      act: (child) => {
        child.kill('SIGSTOP')
        fillDisk(disk).then((freeing) => {
          free = freeing
          child.kill('SIGCONT')
        })
      },
    })
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(
          'no space left on device.*\\n' +
            'The installation that was there is as it was.*svc admin restore .* --replace',
          'i',
        ),
      ),
    })
    await free()
    await expectStarts(into, old)
  })

  it.runIf(!onPostgres)('in the middle of the switch undoes it', async ({ skip }) => {
    const into = await target()
    const old = await makeOld(into)
    if (!(await pinDirectory(join(directoryOf(into), 'db')))) return skip('this process may not mount')
    const { code, stderr } = await backedUp.restore(into, backedUp.place, '--replace')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/EBUSY[\s\S]*installation that was there is as it was/),
    })
    await expectStarts(into, old)
  })

  it.runIf(onPostgres).each(['before', 'after'] as const)(
    'because the connection ends %s the commit leaves one installation',
    async (when) => {
      const into = await target()
      const old = await makeOld(into)
      const url = into.env.DATABASE_URL ?? ''
      const proxy = await cutAtCommit(url, when)
      onTestFinished(proxy.close)
      const env = { ...into.env, DATABASE_URL: proxy.url }
      const { code, stderr } = await backedUp.restore({ ...into, env }, backedUp.place, '--replace')
      expect(proxy.cuts()).toBe(1)
      if (when === 'before') expect(stderr).toContain('The installation that was there is as it was')
      expect({ code, stderr }).toMatchObject({ code: when === 'before' ? 1 : 0 })
      await expectStarts(into, when === 'before' ? old : backedUp.sample)
    },
  )

  it.runIf(onPostgres)(
    'and can’t reach the database any more leaves it to the start to find out',
    async () => {
      const into = await target()
      await makeOld(into)
      const proxy = await cutAtCommit(into.env.DATABASE_URL ?? '', 'after', { refusesAfter: true })
      onTestFinished(proxy.close)
      const env = { ...into.env, DATABASE_URL: proxy.url }
      const { code, stderr } = await backedUp.restore({ ...into, env }, backedUp.place, '--replace')
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('finds out which') })
      await expectStarts(into, backedUp.sample)
    },
  )
})
