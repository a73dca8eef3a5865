import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, vi } from 'vitest'
import { openRunDirectory } from '../../../../src/platform/servers/run-directory.ts'
import { serverDeps, testTimeout, writeFiles } from '../server.ts'

vi.setConfig({ testTimeout })

/** Starts a server, and prints the pids of its processes and its socket once it listens. */
const starter = `
  import { startServer } from './dist/platform/servers/process.js'
  import { createUids } from './dist/platform/sandbox/uids.js'
  import { listTree } from './dist/platform/sandbox/process-tree.js'
  const [deps, files] = JSON.parse(process.argv[1])
  const redactor = { redact: (text) => text, longest: 0 }
  const start = { files, command: 'node server.js', directory: '.', env: {}, memoryBytes: 2 ** 28, redactor }
  const nowMs = Date.now
  const reading = { onLine() {}, onDropped() {} }
  const server = await startServer({ ...deps, uids: createUids(), nowMs }, { ...start, ...reading })
  await server.listening
  console.log(JSON.stringify([await listTree(process.pid), server.socketPath]))`

it('a node that is killed takes its servers with it, and the next start removes their sockets', async () => {
  const { uids: _uids, nowMs: _nowMs, ...deps } = await serverDeps()
  const files = await writeFiles({
    'server.js': "require('node:http').createServer((_, response) => response.end()).listen(3000)",
  })
  const node = spawn(
    process.execPath,
    ['--input-type=module', '-e', starter, JSON.stringify([deps, files])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(createInterface(node.stdout), 'line')
  const [[, ...pids], socketPath]: [number[], string] = JSON.parse(String(line))
  expect(pids.length).toBeGreaterThanOrEqual(3)
  node.kill('SIGKILL')
  await once(node, 'exit')
  await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 20_000 }).toEqual([])
  expect(await readdir(deps.root)).toEqual([socketPath.slice(deps.root.length + 1)])
  // As the next start of a node, to which what is there is older.
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(Date.now() + 1_000)
  await openRunDirectory(join(dirname(deps.root), '..'))
  expect(await readdir(deps.root)).toEqual([])
})
