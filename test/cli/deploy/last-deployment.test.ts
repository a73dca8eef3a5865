import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { recall } from '../../../src/cli/deploy/last-deployment.ts'

const readMs = 1_700_000_000_000
const hourMs = 3_600_000
const sha256 = 'a'.repeat(64)
const file = {
  path: 'a.txt',
  size: 3,
  modifiedMs: readMs - hourMs + 0.5,
  changedMs: readMs - hourMs + 0.5,
  inode: 7,
}
const root = '/srv/site'
let env: { XDG_CACHE_HOME: string }

beforeEach(async () => {
  env = { XDG_CACHE_HOME: await mkdtemp(join(inject('directory'), 'cache-')) }
})

function remembered(files = [{ ...file, sha256 }]) {
  recall(env, root, readMs).remember('here web', files)
  return recall(env, root, readMs + hourMs)
}

describe('the cache of a deployment', () => {
  it('has the digest of an unchanged file', async () => {
    const memory = remembered()
    expect(memory.digestOf(file)).toBe(sha256)
    expect(memory.digestOf({ ...file, path: 'b.txt' })).toBeUndefined()
    expect(memory.digestOf({ ...file, path: 'constructor' })).toBeUndefined()
  })

  it.each([
    ['size', { size: 4 }],
    ['time of modification', { modifiedMs: file.modifiedMs + 1 }],
    ['time of change', { changedMs: file.changedMs + 1 }],
    ['inode', { inode: 8 }],
  ])('lacks a file whose %s has changed', async (_what, change) => {
    expect(remembered().digestOf({ ...file, ...change })).toBeUndefined()
  })

  it.each([
    ['within the tick of the clock in which it was read', readMs - 20.5],
    ['within two seconds, where times are whole seconds', readMs - 2_000],
  ])('lacks a file that was written %s', async (_when, timeMs) => {
    const recent = { ...file, modifiedMs: timeMs, changedMs: timeMs }
    expect(remembered([{ ...recent, sha256 }]).digestOf(recent)).toBeUndefined()
  })

  it('has what was sent to the same destination', async () => {
    const memory = remembered()
    expect(memory.wasSent('here web', sha256)).toBe(true)
    expect(memory.wasSent('here web', 'b'.repeat(64))).toBe(false)
    expect(memory.wasSent('elsewhere web', sha256)).toBe(false)
  })

  it('is for one directory', async () => {
    remembered()
    expect(recall(env, '/srv/other', readMs + hourMs).digestOf(file)).toBeUndefined()
  })

  it('is readable by its user only', async () => {
    remembered()
    const directory = join(env.XDG_CACHE_HOME, 'svc/deployed')
    const [name = ''] = await readdir(directory)
    expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(directory, name), 'utf8')).toContain(sha256)
  })

  it.each([
    'not JSON',
    '{}',
    '{"version":2,"readMs":1,"destination":"","files":[["a.txt",3]]}',
    '{"version":1,"readMs":1,"destination":"here web","files":{}}',
    JSON.stringify({
      version: 3,
      readMs,
      destination: 'here web',
      files: [[...Object.values(file), sha256]],
    }),
  ])('is empty when its file is %s', async (text) => {
    remembered()
    const directory = join(env.XDG_CACHE_HOME, 'svc/deployed')
    const [name = ''] = await readdir(directory)
    await writeFile(join(directory, name), text)
    const memory = recall(env, root, readMs + hourMs)
    expect(memory.digestOf(file)).toBeUndefined()
    expect(memory.wasSent('here web', sha256)).toBe(false)
  })

  it('works without a place to store it', async () => {
    const nowhere = { XDG_CACHE_HOME: '/dev/null/cache' }
    recall(nowhere, root, readMs).remember('here web', [{ ...file, sha256 }])
    expect(recall(nowhere, root, readMs).digestOf(file)).toBeUndefined()
  })
})
