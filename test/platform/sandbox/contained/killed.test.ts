import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { compile } from '../../../stores/data-dir/compiled.ts'
import { countProcesses } from '../../builds/processes.ts'

const testTimeout = 120_000

/** Starts sandboxes one after another, and is killed once as many began: the last ones are being set up. */
const starter = `
  import { launch } from './dist/platform/sandbox/launch.js'
  import { limitsFrom } from './dist/platform/sandbox/limits.js'
  import { createUids } from './dist/platform/sandbox/uids.js'
  import { makeWorkspace } from './dist/platform/sandbox/workspace.js'
  const [root, command, count] = process.argv.slice(1)
  const uids = createUids()
  const limits = limitsFrom({ timeoutS: 100, memoryBytes: 2 ** 28, diskBytes: 2 ** 28 })
  const options = { command, limits, env: {}, directory: '.', network: 'none', isolation: 'bubblewrap' }
  for (let begun = 0; begun < Number(count); begun += 1) {
    const workspace = await makeWorkspace(root, uids)
    await launch({ ...options, workspace, node: { path: process.execPath, reservedBytes: 0 } }, undefined)
  }
  process.kill(process.pid, 'SIGKILL')`

let compiled: string

beforeAll(async () => {
  const modules = ['launch', 'limits', 'uids', 'workspace']
  compiled = await compile(...modules.map((name) => `platform/sandbox/${name}.ts`))
}, testTimeout)

it.each([1, 2, 3, 5, 8])(
  'a process that is killed takes its sandboxes with it, also those that it was setting up: %i',
  { timeout: testTimeout },
  async (count) => {
    const root = await mkdtemp(join(tmpdir(), 'svc-'))
    const command = `sleep 9${process.pid}${count}`
    const killed = spawn(
      process.execPath,
      ['--input-type=module', '-e', starter, root, command, String(count)],
      { cwd: compiled, stdio: ['ignore', 'inherit', 'inherit'] },
    )
    await once(killed, 'exit')
    expect(killed.signalCode).toBe('SIGKILL')
    await expect.poll(() => countProcesses(command), { timeout: 20_000 }).toBe(0)
  },
)
