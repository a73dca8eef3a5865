import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerDeps } from '../../../../src/platform/servers/server-process.ts'
import { redactorOf } from '../../builds/build.ts'
import { get, mebibyte, run, serverDeps, type TestServer, testTimeout } from '../server.ts'

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

async function start(program: string, options: Parameters<typeof run>[3] = {}): Promise<TestServer> {
  server = await run(deps, 'node server.js', { 'server.js': program }, options)
  return server
}

const http = "const { createServer } = require('node:http'); "
const hello = `${http} createServer((request, response) => response.end('hello ' + request.url)).listen(3000)`

describe('a server', () => {
  it('answers on its socket, ends in order, and leaves nothing', async () => {
    const { listening, socketPath, memoryBytes, stop, ended } = await start(hello)
    await listening
    expect(await get(socketPath, '/x')).toEqual({ status: 200, body: 'hello /x' })
    expect(await memoryBytes()).toBeGreaterThan(5 * mebibyte)
    await stop(60_000)
    expect(await ended).toEqual({ code: 143, signal: 'SIGTERM', outOfMemory: false })
    expect(await readdir(deps.root)).toEqual([])
  })

  it('is not reached any more the moment it has ended', async () => {
    const { listening, socketPath, ended } = await start(`${http}
      createServer((_, response) => { response.end(); setImmediate(() => process.exit(3)) }).listen(3000)`)
    await listening
    await get(socketPath).catch(() => undefined)
    await expect.poll(() => errorOf(socketPath)).toMatch(/^(ECONNREFUSED|ENOENT)$/)
    expect(await ended).toMatchObject({ code: 3 })
  })

  it('has time to end in order, also below shells', async () => {
    server = await run(deps, 'cd . && node server.js; exit 9', {
      'server.js': `${http} process.on('SIGTERM', () => setTimeout(() => process.exit(0), 500))
        ${hello.slice(http.length)}`,
    })
    await server.listening
    await server.stop(60_000)
    expect(await server.ended).toMatchObject({ code: 9 })
  })

  it.each([
    ['ignores that', "process.on('SIGTERM', () => {})"],
    ['is in an endless loop', 'setTimeout(() => { for (;;); }, 200)'],
    [
      'leaves its socket to others',
      "require('node:child_process').spawn('sh', ['-c', 'sleep 1000 & sleep 1000'], { detached: true })",
    ],
  ])('is killed where it %s', async (_how, line) => {
    const { listening, socketPath, stop, ended } = await start(`${line}; ${hello}`)
    await listening
    await new Promise((resolve) => setTimeout(resolve, 500))
    await stop(300)
    await ended
    expect(await errorOf(socketPath)).toBe('ENOENT')
  })

  it('gets its environment, and no more than that', async () => {
    const { listening, lines } = await start(
      `console.log(JSON.stringify([process.env, process.cwd()])); ${hello}`,
      { env: { PORT: '3000', KEY: "it's", NODE_OPTIONS: '--inspect=0.0.0.0:1 --no-warnings' } },
    )
    await listening
    const [{ NODE_OPTIONS, PATH, PWD, _, SHLVL, ...env }, directory] = JSON.parse(lines[0] ?? '')
    expect(env).toEqual({ HOME: '/server/home', LANG: 'C.UTF-8', PORT: '3000', KEY: "it's" })
    expect(NODE_OPTIONS).toBe('--require="/server/preload.cjs" --max-old-space-size=153 --no-warnings')
    expect(directory).toBe('/workspace')
  })

  it('has lines without secrets, also where they come in pieces', async () => {
    const program = `
      const { SECRET } = process.env
      process.stdout.write('a ' + SECRET.slice(0, 5))
      setTimeout(() => process.stdout.write(SECRET.slice(5) + '\\n'), 200)
      console.error(SECRET)
      setTimeout(() => {}, 400)`
    const { ended, lines } = await start(program, {
      env: { SECRET: 'hunter2-hunter2' },
      redactor: await redactorOf(['hunter2-hunter2']),
    })
    await ended
    expect(lines.sort()).toEqual(['[redacted]', 'a [redacted]'])
  })

  it('says nothing about its end that the program does not', async () => {
    const { listening, stop, lines } = await start(`${hello}; console.error('listening')`)
    await listening
    await stop(5_000)
    expect(lines).toEqual(['listening'])
  })

  it('floods nobody: what is too much is counted, and a part of a line is never read', async () => {
    let dropped = 0
    const { listening, socketPath, ended, lines, kill } = await start(
      `const line = 'secret-secret '.repeat(100).trim() + '\\n'
      const lines = line.repeat(50), { writeSync } = require('node:fs')
      ${http} createServer((_, response) => {
        response.end()
        setImmediate(() => { for (let n = 0; n < 1_000; n += 1) writeSync(1, lines); process.exit() })
      }).listen(3000)`,
      {
        redactor: await redactorOf(['secret-secret']),
        onDropped(count) {
          dropped += count
        },
      },
    )
    await listening
    expect((await get(socketPath)).status).toBe(200)
    await ended
    expect(dropped).toBeGreaterThan(25_000)
    expect(lines.length + dropped).toBe(50_000)
    expect(new Set(lines)).toEqual(new Set([Array.from({ length: 100 }, () => '[redacted]').join(' ')]))
    kill()
  })

  it('is not held up by its own output', async () => {
    let dropped = 0
    const { listening, socketPath } = await start(
      `for (let n = 0; n < 50_000; n += 1) console.log('line ' + n); ${hello}`,
      {
        onDropped(count) {
          dropped += count
        },
      },
    )
    await listening
    expect((await get(socketPath)).status).toBe(200)
    await expect.poll(() => (server?.lines.length ?? 0) + dropped, { timeout: 20_000 }).toBe(50_000)
  })
})

describe('a server that does not listen', () => {
  it.each([
    ['ends', 'process.exit(4)', 'The server ended with exit code 4 before it listened on $PORT (3000).'],
    [
      'is too large',
      'const all = []; for (;;) all.push(new Array(100_000).fill(all.length))',
      /^The server ran out of memory \(128 MiB\): raise `memory_bytes` of `runtime`/,
    ],
    [
      'is too large outside of its heap',
      'const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1))',
      /^The server ran out of memory \(128 MiB\): raise `memory_bytes` of `runtime`/,
    ],
    [
      'listens elsewhere',
      `${http} createServer().listen(8080)`,
      'The server listens on port 8080 instead of $PORT (3000): have it listen on `process.env.PORT`.',
    ],
    ['does nothing', 'setInterval(() => {}, 1_000)', 'The server did not listen on $PORT (3000) within 3 s.'],
  ])('says why: it %s', async (_how, program, message) => {
    const { listening, ended } = await start(program, { listenMs: 3_000, memoryBytes: 128 * mebibyte })
    await expect(listening).rejects.toThrow(message)
    await expect(listening).rejects.toHaveProperty('name', 'StartFailed')
    await ended
    expect(await readdir(deps.root)).toEqual([])
  })

  it('says so where the command overrides the options of the platform', async () => {
    const command = 'NODE_OPTIONS=--no-warnings node server.js'
    server = await run(deps, command, { 'server.js': hello }, { listenMs: 3_000 })
    await expect(server.listening).rejects.toThrow(/out of reach\. The start command sets `NODE_OPTIONS`/)
  })
})

/** The code of the error of a connection; undefined if it works. */
function errorOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
