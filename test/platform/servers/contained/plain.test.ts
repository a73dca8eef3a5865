import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { get, run, serverDeps, testTimeout } from '../server.ts'

vi.setConfig({ testTimeout })

it('where all builders are trusted, servers run without a sandbox, each on the same port', async () => {
  const deps = { ...(await serverDeps()), isolation: 'none' } as const
  const program = `
    const { createServer } = require('node:http')
    process.on('SIGTERM', () => process.exit(0))
    createServer((_, response) => response.end(process.cwd())).listen(process.env.PORT)`
  const start = () => run(deps, 'node server.js', { 'server.js': program })
  const [one, other] = [await start(), await start()]
  for (const { listening, socketPath, files } of [one, other]) {
    await listening
    expect(await get(socketPath)).toEqual({ status: 200, body: files })
  }
  for (const { stop, ended } of [one, other]) {
    await stop(60_000)
    expect(await ended).toEqual({ code: 0, signal: undefined, outOfMemory: false })
  }
  expect(await readdir(deps.root)).toEqual([])
})
