import { expect, it } from 'vitest'
import { runtimeOf } from '../../../src/platform/sandbox/runtime-of.ts'

it('says its version, and what native modules for it are built for', async () => {
  const { version, platform, path } = await runtimeOf(process.execPath)
  expect([version, path]).toEqual([process.versions.node, process.execPath])
  expect(platform).toMatch(new RegExp(`^${process.platform}-${process.arch}(-glibc|-musl)?$`))
})

it.each(['/nowhere/node', '/bin/true', '/etc/passwd'])('%s is refused with the setting', async (path) => {
  await expect(runtimeOf(path)).rejects.toThrow(`SVC_NODE (${path})`)
})
