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

/** Starts a program, and waits until it listens. */
async function start(program: string, command = 'node server.js'): Promise<TestServer> {
  server = await run(deps, command, { 'server.js': program })
  await server.listening
  return server
}

const http = "const http = require('node:http'); const answer = (_, response) => response.end('here'); "

describe('a server is reached, however it calls listen', () => {
  it.each([
    ['with a port', `${http} http.createServer(answer).listen(3000)`],
    ['with a port as text', `${http} http.createServer(answer).listen(process.env.PORT)`],
    ['with a host', `${http} http.createServer(answer).listen(3000, '127.0.0.1', 5, () => {})`],
    ['with the host of IPv6', `${http} http.createServer(answer).listen(3000, '::')`],
    ['with options', `${http} http.createServer(answer).listen({ port: 3000, host: '0.0.0.0' })`],
    ['with a path that is none', `${http} http.createServer(answer).listen({ path: false, port: '3000' })`],
    ['late', `${http} setTimeout(() => http.createServer(answer).listen(3000), 300)`],
    [
      'a second time, after it was closed',
      `${http} http.createServer(answer).listen(3000, function () {
        this.close(() => http.createServer(answer).listen(3000)) })`,
    ],
    [
      'as a server of plain connections',
      `require('node:net').createServer((socket) => {
        socket.on('error', () => {}).end('HTTP/1.1 200 OK\\r\\n\\r\\nhere')
      }).listen(3000)`,
    ],
    [
      'in a module',
      "import('node:http').then(({ createServer }) => createServer((_, r) => r.end('here')).listen(3000))",
    ],
    [
      'in a thread',
      `const { Worker } = require('node:worker_threads')
       new Worker("require('node:http').createServer((_, r) => r.end('here')).listen(3000)", { eval: true })`,
    ],
  ])('%s', async (_form, program) => {
    const { socketPath } = await start(program)
    await expect.poll(() => get(socketPath).catch(() => undefined)).toEqual({ status: 200, body: 'here' })
  })

  it('in workers of a cluster, which share its connections', async () => {
    const { socketPath } = await start(`
      const cluster = require('node:cluster')
      if (cluster.isPrimary) { cluster.fork(); cluster.fork() }
      else require('node:http')
        .createServer((_, response) => response.end(String(process.pid))).listen(3000)`)
    const pids = new Set<string>()
    await expect
      .poll(async () => pids.add((await get(socketPath)).body).size, { timeout: 20_000, interval: 20 })
      .toBe(2)
  })

  it('below a package manager', async () => {
    const manifest = JSON.stringify({ scripts: { start: 'node server.js' } })
    const program = `${http} http.createServer(answer).listen(3000)`
    server = await run(deps, 'npm start', { 'package.json': manifest, 'server.js': program })
    await server.listening
    expect(await get(server.socketPath)).toEqual({ status: 200, body: 'here' })
  })
})

describe('for the program', () => {
  it('it listens on the port', async () => {
    const { lines } = await start(`${http}
      const server = http.createServer(answer).listen(3000, () =>
        console.log(JSON.stringify([server.address(), server.listening, server.keepAliveTimeout])))`)
    await expect.poll(() => lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual([{ address: '::', family: 'IPv6', port: 3000 }, true, 65_000])
  })

  it('it answers itself there', async () => {
    const { lines } = await start(`${http}
      http.createServer(answer).listen(3000, async () => {
        for (const host of ['127.0.0.1', 'localhost'])
          console.log(await (await fetch('http://' + host + ':3000')).text())
      })`)
    await expect.poll(() => lines).toEqual(['here', 'here'])
  })

  it('a second server at the port fails, in this process and in another', async () => {
    const { lines } = await start(`${http}
      const { fork } = require('node:child_process')
      const say = (error) => console.log(error.code, error.syscall)
      if (process.argv[2]) http.createServer().on('error', say).listen(3000)
      else http.createServer(answer).listen(3000, () => {
        http.createServer().on('error', (error) => { say(error); fork(__filename, ['x']) }).listen(3000)
      })`)
    await expect.poll(() => lines).toEqual(['EADDRINUSE listen', 'EADDRINUSE listen'])
    expect((await get(server?.socketPath ?? '')).body).toBe('here')
  })

  it('other ports, sockets and random ports are what they are', async () => {
    const { lines } = await start(`${http}
      const where = (server) => new Promise((resolve) =>
        server.on('listening', () => resolve(server.address())))
      const all = [4000, 0, '/tmp/own.sock', { port: 4001, host: '127.0.0.1' }]
      Promise.all(all.map((at) => where(http.createServer(answer).listen(at)))).then(([a, b, c, d]) => {
        console.log(JSON.stringify([a.port, b.port > 0 && b.port !== 3000, c, d]))
        http.createServer(answer).listen(3000)
      })`)
    expect(JSON.parse(lines[0] ?? '')).toEqual([
      4000,
      true,
      '/tmp/own.sock',
      { address: '127.0.0.1', family: 'IPv4', port: 4001 },
    ])
  })

  it('it ends once its server is closed, as anywhere', async () => {
    const { ended } = await start(`${http}
      process.on('SIGTERM', () => server.close(() => console.log('closed')))
      const server = http.createServer(answer).listen(3000)`)
    await server?.stop(60_000)
    expect(await ended).toEqual({ code: 0, signal: undefined, outOfMemory: false })
    expect(server?.lines).toEqual(['closed'])
  })
})
