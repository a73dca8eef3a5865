import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { openSandbox } from '../../../src/operate/node/sandbox.ts'
import { createUids } from '../../../src/platform/sandbox/uids.ts'
import { createTestLog } from '../../support/kept-logs.ts'

it('a data directory with too long a path has no servers, and builds all the same', async () => {
  const directory = join(inject('directory'), 'd'.repeat(110 - inject('directory').length))
  const settings = parseSettings({ SVC_DATA_DIR: directory, SVC_BUILD_SANDBOX: 'none' })
  const logged: string[] = []
  const routing = { addresses: [], cname: undefined }
  const log = createTestLog(logged)
  const sandbox = await openSandbox({ settings, routing, sandboxUids: createUids(), log })
  expect(logged.join()).toContain('bytes too long for the sockets of servers')
  expect(sandbox.runDirectory).toBeUndefined()
  expect(await sandbox.serverProblem()).toBe('This node runs no servers; its log says why.')
  expect(await sandbox.buildProblem()).toBeUndefined()
  await sandbox.close()
})
