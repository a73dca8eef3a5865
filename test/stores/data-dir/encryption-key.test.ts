import { createHmac, randomBytes } from 'node:crypto'
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { deriveKey, loadEncryptionKey } from '../../../src/stores/data-dir/encryption-key.ts'

let directory: string
let file: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-key-'))
  file = join(directory, 'encryption.key')
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(directory, { recursive: true })
})

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(directory)
  await handle.close()
  return Object.getPrototypeOf(handle)
}

describe('the encryption key', () => {
  it('has 32 bytes, on one line in base64, readable by its owner only', async () => {
    const key = await loadEncryptionKey(directory)
    expect(key).toHaveLength(32)
    expect(await readFile(file, 'utf8')).toBe(`${key.toString('base64')}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['encryption.key'])
  })

  it('is the same at the next start', async () => {
    const key = await loadEncryptionKey(directory)
    expect(await loadEncryptionKey(directory)).toEqual(key)
  })

  it('differs in another directory', async () => {
    const other = await mkdtemp(join(tmpdir(), 'svc-key-'))
    expect(await loadEncryptionKey(other)).not.toEqual(await loadEncryptionKey(directory))
    await rm(other, { recursive: true })
  })

  it('is the same for concurrent processes', async () => {
    for (let round = 0; round < 20; round++) {
      const keys = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKey(directory)))
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
      expect(await readdir(directory)).toEqual(['encryption.key'])
      await rm(file)
    }
  })

  it('is on disk before it is used: the file, then its entry in the directory', async () => {
    const sync = vi.spyOn(await fileHandlePrototype(), 'sync')
    await loadEncryptionKey(directory)
    expect(sync).toHaveBeenCalledTimes(2)
  })

  it('never replaces one that another process creates meanwhile', async () => {
    const other = randomBytes(32)
    vi.spyOn(await fileHandlePrototype(), 'sync').mockImplementationOnce(() => {
      return writeFile(file, other.toString('base64'))
    })
    expect(await loadEncryptionKey(directory)).toEqual(other)
    expect(await loadEncryptionKey(directory)).toEqual(other)
  })

  it('may be created by hand, with or without a newline', async () => {
    const key = randomBytes(32)
    await writeFile(file, key.toString('base64'))
    expect(await loadEncryptionKey(directory)).toEqual(key)
  })

  it.each([
    ['empty', ''],
    ['a newline', '\n'],
    ['31 bytes', `${Buffer.alloc(31).toString('base64')}\n`],
    ['33 bytes', `${Buffer.alloc(33).toString('base64')}\n`],
    ['hexadecimal', `${Buffer.alloc(32).toString('hex')}\n`],
    ['two keys', `${Buffer.alloc(32).toString('base64')}\n`.repeat(2)],
    ['not base64', `${'!'.repeat(43)}=\n`],
  ])('is refused, and left as it is, when the file is malformed: %s', async (_, content) => {
    await writeFile(file, content)
    const loading = loadEncryptionKey(directory)
    await expect(loading).rejects.toBeInstanceOf(SettingsError)
    await expect(loading).rejects.toThrow(`${file} should hold 32 bytes in base64: restore it from a backup`)
    expect(await readFile(file, 'utf8')).toBe(content)
  })

  it('is never printed by the refusal', async () => {
    const secret = Buffer.alloc(33, 7).toString('base64')
    await writeFile(file, secret)
    await expect(loadEncryptionKey(directory)).rejects.not.toThrow(secret)
  })
})

describe('a derived key', () => {
  const master = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')

  it('is HKDF with SHA-256 as RFC 5869 defines it: extract, then expand once', () => {
    const pseudorandomKey = createHmac('sha256', Buffer.alloc(32)).update(master).digest()
    const expected = createHmac('sha256', pseudorandomKey).update('env').update(Buffer.of(1)).digest()
    expect(deriveKey(master, 'env')).toEqual(expected)
  })

  it.each([
    ['env', 'dfce49f2ddafb3384209e0757d70ceda90b40b938c0f8e68b3ddf1a2a7a0702d'],
    ['uploads', '17d3bbb3da75a207312f89e3b6db1758bba5cacff6e10ee4ddadd9231e6003ad'],
    ['edge-cookies', 'cd7fb2f189b295aedf6d1ec38164ad5bbd3bd1683c7ce8d6db749a870c768fc9'],
    ['check', '5b65c4e86119ed29b47b7cd9745ac5aa64e441c10a0d9b2a0fa4ffaee96046cf'],
  ] as const)('for %s never changes: sealed values must stay readable', (purpose, hex) => {
    expect(deriveKey(master, purpose).toString('hex')).toBe(hex)
  })

  it('differs for another master key', () => {
    expect(deriveKey(randomBytes(32), 'env')).not.toEqual(deriveKey(master, 'env'))
  })
})
