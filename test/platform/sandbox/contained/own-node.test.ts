import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { build, testTimeout } from '../../builds/build.ts'
import { ownNode } from '../own-node.ts'

vi.setConfig({ testTimeout })

it('builds run with the Node that the operator chose, and have npm where that has none', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'svc-')), 'node')
  await copyFile(process.execPath, path)
  const node = { ...ownNode, path }
  const command = 'node -p process.execPath && npm --version'
  const { lines } = await build(command, { node })
  expect(lines.map(({ text }) => text)).toEqual([
    '/opt/node/bin/node',
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
  ])
  const plain = await build(command, { node, isolation: 'none' })
  expect(plain.lines[0]?.text).toBe(path)
})
