/** Starts whose data directory can't be used: a sentence says so, and what to do. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, startOnWhatIsThere } from '../support/program.ts'
import { prepareDataDirectory } from '../support/template.ts'

const run = promisify(execFile)

/** A disk for a database, and little more. */
const disk = 'size=48m'
const remedy = 'set SVC_DATA_DIR to another one.'

async function canMountOn(directory: string): Promise<boolean> {
  return run('mount', ['-t', 'tmpfs', '-o', disk, 'tmpfs', directory]).then(
    () => true,
    () => false,
  )
}

const canMount = await (async () => {
  const directory = await newDataDirectory()
  const can = await canMountOn(directory)
  if (can) await run('umount', [directory])
  await rm(directory, { recursive: true })
  return can
})()

/** A directory, on which root mounts a file system of the test's own. */
let place: string

beforeEach(async () => {
  place = await newDataDirectory()
})

/** What the start prints, which ends with 1, and without a stack. */
async function refusal(directory: string): Promise<string> {
  const started = startOnWhatIsThere({ SVC_DATA_DIR: directory })
  const message = await started.then(
    () => 'It started.',
    (error: Error) => error.message,
  )
  expect(message).toContain('The program ended with 1')
  expect(message).not.toMatch(/^ +at /m)
  return message
}

describe.runIf(canMount)('on a disk of its own', () => {
  beforeEach(async () => {
    await canMountOn(place)
  })
  afterEach(async () => {
    await run('umount', [place])
  })

  async function fill(): Promise<void> {
    const { bavail, bsize } = await statfs(place)
    await writeFile(join(place, 'other'), Buffer.alloc(bavail * bsize))
  }

  it('that is full', async () => {
    await fill()
    const directory = join(place, 'data')
    expect(await refusal(directory)).toContain(`The data directory ${directory} has no space left`)
  })

  it('that has filled up since the last start', async () => {
    const directory = join(place, 'data')
    await mkdir(directory)
    await prepareDataDirectory(directory)
    await fill()
    expect(await refusal(directory)).toMatch(
      /has no space left.* \(ENOSPC.*\)\. Free some, or set SVC_DATA_DIR/,
    )
  })

  it('that takes no more files', async () => {
    await run('mount', ['-o', 'remount,nr_inodes=200', place])
    expect(await refusal(join(place, 'data'))).toContain('or its disk too many files')
  })

  it('that became read-only', async () => {
    const directory = join(place, 'data')
    await mkdir(directory)
    await prepareDataDirectory(directory)
    await run('mount', ['-o', 'remount,ro', place])
    const said = await refusal(directory)
    expect(said).toContain(`The data directory ${directory} is on a file system that is read-only (EROFS`)
    expect(said).toContain(remedy)
  })
})

it('is a file', async () => {
  const file = join(place, 'file')
  await writeFile(file, '')
  expect(await refusal(file)).toContain(`The data directory ${file} is not a directory`)
})

it.runIf(process.getuid?.() !== 0)('is not for the user of the process', async () => {
  await chmod(place, 0o500)
  expect(await refusal(place)).toContain(`${place} can't be used by the user of this process (EACCES`)
  await chmod(place, 0o700)
})
