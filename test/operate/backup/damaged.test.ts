/**
 * A damaged backup is refused, naming the file.
 * @module-tag long
 */
import { execFileSync } from 'node:child_process'
import { readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type BackedUp, blobFiles, copyOf, keyOf, newestIn, startBackedUp, target } from './backed-up.ts'
import { type Surroundings, startOn } from './places.ts'

let backedUp: BackedUp
let copy: string
let into: Surroundings

beforeAll(async () => {
  backedUp = await startBackedUp()
}, 120_000)

afterAll(() => backedUp.close())

beforeEach(async () => {
  copy = await copyOf(backedUp.place)
  into = await target()
  if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = await keyOf(backedUp.source)
})

it.each(['backup.json', 'files.gz', 'tables/deployments.gz'])(
  'a damaged %s is refused by its name',
  async (file) => {
    const path = join(copy, await newestIn(copy), file)
    const bytes = await readFile(path)
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(path, bytes)
    const { code, stderr } = await backedUp.restore(into, copy)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(file) })
    expect(stderr).toMatch(/damaged/)
    // Intact by itself, but not what was backed up.
    await writeFile(path, gzipSync('something else'))
    const other = await backedUp.restore(into, copy)
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(file) })
    expect(other.stderr).toMatch(/damaged/)
    await writeFile(path, bytes)
    await truncate(path, bytes.length - 1)
    expect((await backedUp.restore(into, copy)).code).toBe(1)
    await rm(path)
    expect((await backedUp.restore(into, copy)).code).toBe(1)
    // Nothing looks whole that would have to be replaced.
    expect((await backedUp.restore(into, backedUp.place)).code).toBe(0)
  },
)

it('a damaged file of a site is refused by name, and the others are restored on request', async () => {
  const files = await blobFiles(copy)
  const [damaged = '', gone = ''] = files.filter((each) => !each.includes('e3b0c44298fc1c14'))
  const bytes = await readFile(damaged)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  await writeFile(damaged, bytes)
  await rm(gone)
  const { code, stderr } = await backedUp.restore(into, copy)
  expect(code).toBe(1)
  expect(stderr).toContain('2 files of sites are missing or damaged')
  for (const file of [damaged, gone]) expect(stderr).toContain(file)
  const partial = await backedUp.restore(into, copy, '--incomplete')
  expect(partial).toMatchObject({ code: 1, stderr: expect.stringContaining('All is restored but 2 files') })
  const other = await startOn(into)
  onTestFinished(other.stop)
  const check = await backedUp.svc(['admin', 'check'], { env: into.env })
  for (const file of [damaged, gone]) expect(check.stdout).toContain(file.split('/').at(-1))
})

it('a pipe or a device in place of a file of a site is refused by its name, and not read', async () => {
  const files = await blobFiles(copy)
  const [pipe = '', device = ''] = files
  for (const path of [pipe, device]) await rm(path)
  execFileSync('mkfifo', [pipe])
  await symlink('/dev/zero', device)
  const { code, stderr } = await backedUp.restore(into, copy)
  expect(code).toBe(1)
  for (const file of [pipe, device]) expect(stderr).toContain(file)
})
