/** `.env` of a node. */
import { execFileSync } from 'node:child_process'
import { chmod, chown, lchown, mkdtemp, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { readEnvironmentFile } from '../../../src/stores/data-dir/environment-file.ts'

const other = 54_321
let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(inject('directory'), 'env-'))
  path = join(directory, '.env')
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const read = () => readEnvironmentFile(directory)

describe('.env', () => {
  it('may be missing, a file, or a link to one, also one that a group may write', async () => {
    expect(read()).toBeUndefined()
    await writeFile(join(directory, 'kept'), 'SVC_PORT=1')
    await chmod(join(directory, 'kept'), 0o664)
    await symlink('kept', path)
    expect(read()).toBe('SVC_PORT=1')
  })

  it('is refused where every user may write it', async () => {
    await writeFile(path, '')
    await chmod(path, 0o646)
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(/can be written by every user .* `chmod o-w .*\.env`/)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is not a regular file', async () => execFileSync('mkfifo', [path])],
    ['is not a regular file', () => symlink('/dev/zero', path)],
    ['has more than 1048576 bytes', () => writeFile(path, '').then(() => truncate(path, 2_000_000))],
  ])('is refused if it %s', async (problem, make) => {
    await make()
    expect(read).toThrow(`${path} ${problem}. It has to be a file of at most 1048576 bytes.`)
  })

  /** Only root can give files away. */
  describe.skipIf(process.getuid?.() !== 0)('of another user', () => {
    it('is refused, except that of the user who called sudo', async () => {
      await writeFile(path, '')
      await chown(path, other, other)
      expect(read).toThrow(/\.env belongs to another user \(54321\)/)
      vi.stubEnv('SUDO_UID', String(other))
      expect(read()).toBe('')
    })

    it('is refused where the link is, or what it leads to', async () => {
      const kept = join(directory, 'kept')
      await writeFile(kept, '')
      await symlink(kept, path)
      await lchown(path, other, other)
      expect(read).toThrow(/belongs to another user/)
      await lchown(path, 0, 0)
      expect(read()).toBe('')
      await chown(kept, other, other)
      expect(read).toThrow(/belongs to another user/)
    })
  })
})
