import { readdir } from 'node:fs/promises'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerDeps } from '../../../../src/platform/servers/server-process.ts'
import { get, run, serverDeps, type TestServer, testTimeout } from '../server.ts'

vi.setConfig({ testTimeout })

let deps: ServerDeps
let server: TestServer | undefined
beforeAll(async () => {
  deps = await serverDeps()
})
afterEach(async () => {
  server?.kill()
  await server?.ended
  server = undefined
})

const hello = `
  const { createServer } = require('node:http')
  createServer((request, response) => response.end('hello ' + request.url)).listen(process.env.PORT)`

describe('a server', () => {
  it('answers on its socket, ends in order, and leaves nothing', async () => {
    server = await run(deps, 'node server.js', { 'server.js': hello })
    await server.listening
    expect(await get(server.socketPath, '/x')).toEqual({ status: 200, body: 'hello /x' })
    expect(await server.memoryBytes()).toBeGreaterThan(5_000_000)
    await server.stop(10_000)
    expect(await server.ended).toEqual({ code: 143, signal: 'SIGTERM', outOfMemory: false })
    expect(await readdir(deps.root)).toEqual([])
  })
})
