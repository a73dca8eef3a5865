import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runtimeOf } from '../../../src/platform/sandbox/runtime-of.ts'

const mebibyte = 1024 * 1024

it('says its version, and what native modules for it are built for', async () => {
  const { version, platform, path } = await runtimeOf(process.execPath)
  expect([version, path]).toEqual([process.versions.node, process.execPath])
  expect(platform).toMatch(new RegExp(`^${process.platform}-${process.arch}(-glibc|-musl)?$`))
})

it.each(['/nowhere/node', '/bin/true', '/etc/passwd'])('%s is refused with the setting', async (path) => {
  await expect(runtimeOf(path)).rejects.toThrow(`SVC_NODE (${path})`)
})

it.runIf(process.platform === 'linux')('says what a thread reserves without using it', async () => {
  const { reservedBytes, path } = await runtimeOf(process.execPath)
  const reserves = promisify(execFile)('prlimit', [
    `--data=${reservedBytes + 128 * mebibyte}`,
    path,
    '-e',
    '1',
  ])
  await expect(reserves).resolves.toEqual({ stdout: '', stderr: '' })
  // Newer versions count the range that V8 has for code.
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (process.arch === 'x64') expect(reservedBytes).toBe(major >= 24 ? 512 * mebibyte : 0)
})
