import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { probeSandbox } from '../../../../src/platform/sandbox/probe.ts'
import { createUids } from '../../../../src/platform/sandbox/uids.ts'
import { testTimeout } from '../../builds/build.ts'
import { ownNode } from '../own-node.ts'

const root = join(inject('directory'), `probe-${randomUUID()}`)
const uids = createUids()

it('finds no problem here, and leaves nothing', { timeout: testTimeout }, async () => {
  expect(await probeSandbox({ root, network: 'none', uids, node: ownNode })).toBeUndefined()
  expect(await readdir(root)).toEqual([])
})

it('reports in a sentence what is missing and what to do', async () => {
  const missing = await probeSandbox({ root, network: 'none', uids, node: ownNode }, '/no/such/directory')
  expect(missing?.builds).toMatch(/^Builds need bwrap, .*install bubblewrap.*SVC_BUILD_SANDBOX=none\.$/)
})

it('shows the host’s paths to its operator only', async () => {
  // A file, in which no workspace can be created.
  const found = await probeSandbox({
    root: '/etc/passwd/builds',
    network: 'none',
    uids,
    node: ownNode,
  })
  expect(found?.builds).toMatch(/^Builds can't run .*see its log/)
  expect(found?.builds).not.toContain('passwd')
  expect(found?.detail).toContain('/etc/passwd/builds')
})
