/** Files that are named on the command line. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { readText, readTextFile, writeTextFile } from '../../src/cli/named-file.ts'

const never = new AbortController().signal
const bounds = { maxBytes: 10, signal: never }
let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(inject('directory'), 'named-'))
  path = join(directory, 'named')
})

describe('a file that is read', () => {
  it('may be a link', async () => {
    await writeFile(join(directory, 'kept'), '0123456789')
    await symlink('kept', path)
    expect(await readTextFile(path, bounds)).toBe('0123456789')
  })

  it('may be a pipe that is written later', async () => {
    execFileSync('mkfifo', [path])
    const late = readTextFile(path, bounds)
    spawn('sh', ['-c', 'sleep 0.1; printf late > "$0"', path])
    expect(await late).toBe('late')
  })

  it.runIf(process.platform === 'linux')('may be a process substitution that has ended', async () => {
    const holder = spawn('bash', ['-c', 'exec 3< <(printf early); wait $!; echo; exec sleep 60'])
    try {
      await once(holder.stdout, 'data')
      expect(await readTextFile(`/proc/${holder.pid}/fd/3`, bounds)).toBe('early')
    } finally {
      holder.kill()
    }
  })

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['missing', async () => {}, /named can't be read: ENOENT/],
    ['a directory', () => symlink('.', path), /named can't be read: EISDIR/],
    ['a device', () => symlink('/dev/zero', path), /named is a device\. Pass a file or a pipe\./],
    ['too large', () => writeFile(path, '').then(() => truncate(path, 1e6)), /named is longer than 10 bytes/],
  ])('is refused if it is %s', async (_what, make, message) => {
    await make()
    await expect(readTextFile(path, bounds)).rejects.toThrow(message)
  })

  it('is bounded where it has no size, and no longer waited for after Ctrl-C', async () => {
    execFileSync('mkfifo', [path])
    // It ends once nobody reads.
    const writer = once(spawn('sh', ['-c', 'exec head -c 1000000 /dev/zero > "$0"', path]), 'exit')
    await expect(readTextFile(path, bounds)).rejects.toThrow('longer than 10 bytes')
    await writer
    const stop = new AbortController()
    const waiting = readTextFile(path, { maxBytes: 10, signal: stop.signal })
    setTimeout(() => stop.abort(new Error('stopped')), 50)
    await expect(waiting).rejects.toThrow('stopped')
  })

  it('is bounded as standard input', async () => {
    const input = new PassThrough()
    input.write('01234567890')
    await expect(readText(input, 'Standard input', bounds)).rejects.toThrow(
      'Standard input is longer than 10',
    )
  })
})

describe('a file that is written', () => {
  it('replaces what it had', () => {
    writeTextFile(path, 'a longer text')
    writeTextFile(path, 'text')
    expect(readFileSync(path, 'utf8')).toBe('text')
  })

  it('is not one that a link leads to, and none without a directory', async () => {
    await writeFile(join(directory, 'kept'), 'kept')
    await symlink('kept', path)
    expect(() => writeTextFile(path, 'text')).toThrow('named is a link. Pass the file that it leads to')
    expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe('kept')
    expect(() => writeTextFile(join(path, 'x'), 'text')).toThrow("x can't be written: ENOTDIR")
  })
})
