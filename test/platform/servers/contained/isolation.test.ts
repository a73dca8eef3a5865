import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerDeps } from '../../../../src/platform/servers/server-process.ts'
import { evaluate, evaluating } from '../evaluating.ts'
import { get, mebibyte, run, serverDeps, type TestServer, testTimeout } from '../server.ts'

vi.setConfig({ testTimeout })

let deps: ServerDeps
const started: TestServer[] = []
beforeAll(async () => {
  deps = await serverDeps()
})
afterEach(async () => {
  for (const { kill, ended } of started.splice(0)) {
    kill()
    await ended
  }
})

async function start(memoryBytes = 256 * mebibyte): Promise<TestServer> {
  const server = await run(deps, 'node server.js', { 'server.js': evaluating }, { memoryBytes })
  started.push(server)
  await server.listening
  return server
}

describe('a server sees nothing of others', () => {
  it('no processes but its own, and none of their environment', async () => {
    const [one, other] = [await start(), await start()]
    const pids = "fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length"
    expect(await evaluate(one, pids)).toBeLessThan(5)
    expect(await evaluate(other, pids)).toBeLessThan(5)
    expect(await evaluate(one, "failing(() => fs.readFileSync('/proc/1/environ'))")).toBe('EACCES')
    expect(await evaluate(one, "failing(() => process.kill(1, 'SIGKILL'))")).toBe('EPERM')
  })

  it('no sockets and files of the node, and none of another server', async () => {
    const [one, other] = [await start(), await start()]
    const paths = JSON.stringify([deps.root, other.socketPath, other.files, one.files])
    expect(await evaluate(one, `${paths}.map((path) => fs.existsSync(path))`)).toEqual(
      Array.from({ length: 4 }, () => false),
    )
    await writeFile(join(other.files, 'secret'), 'x')
    expect(await evaluate(one, "fs.readdirSync('/workspace')")).toEqual(['server.js'])
  })

  it('no descriptors of the node', async () => {
    const server = await start()
    const script = `fs.readdirSync('/proc/self/fd').map((name) =>
      failing(() => fs.readlinkSync('/proc/self/fd/' + name)))`
    const targets = await evaluate(server, script)
    const files = (Array.isArray(targets) ? targets : []).filter((target) => /^\/(?!proc|dev)/.test(target))
    expect(files).toEqual([])
  })

  it('no abstract sockets, no services of the host, no metadata, and no name servers', async () => {
    const name = `\0${randomBytes(8).toString('hex')}`
    const [abstract, tcp] = [createServer().listen(name), createServer().listen(0, '127.0.0.1')]
    await Promise.all(
      [abstract, tcp].map((each) => new Promise((resolve) => each.once('listening', resolve))),
    )
    const at = tcp.address()
    const port = typeof at === 'object' ? at?.port : undefined
    const server = await start()
    const targets = [{ path: name }, { host: '127.0.0.1', port }, { host: '169.254.169.254', port: 80 }]
    expect(await evaluate(server, `Promise.all(${JSON.stringify(targets)}.map(connect))`)).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
      'ENETUNREACH',
    ])
    expect(await evaluate(server, "connect({ host: 'example.com', port: 443 })")).toMatch(
      /EAI_AGAIN|ENOTFOUND/,
    )
    for (const each of [abstract, tcp]) each.close()
  })
})

describe('a server cannot', () => {
  it('change its files, nor those of the system', async () => {
    const server = await start()
    const paths = [
      '/workspace/x',
      '/workspace/server.js',
      '/x',
      '/usr/x',
      '/server/x',
      '/etc/passwd',
      '/dev/x',
    ]
    const script = `${JSON.stringify(paths)}.map((path) => failing(() => fs.writeFileSync(path, 'x')))`
    const codes = await evaluate(server, script)
    expect(codes).toHaveLength(paths.length)
    for (const code of Array.isArray(codes) ? codes : []) expect(code).toMatch(/^(EROFS|EACCES)$/)
  })

  it('keep more files than its memory has room for', async () => {
    const server = await start(256 * mebibyte)
    for (const [path, most] of [
      ['/tmp', 64],
      ['/server/home', 16],
      ['/dev/shm', 32],
    ] as const) {
      const script = `(() => { let n = 0; const all = Buffer.alloc(1048576)
        const code = failing(() => { for (; n < 200; n += 1) fs.appendFileSync('${path}/x', all) })
        fs.rmSync('${path}/x'); return [code, n] })()`
      expect(await evaluate(server, script)).toEqual(['ENOSPC', most])
    }
  })

  it('start processes without end, nor keep its neighbours from starting theirs', async () => {
    const [one, other] = [await start(), await start()]
    const bomb = `(async () => { let n = 0
      for (; n < 2_000; n += 1) {
        const child = spawn('sleep', ['1000'])
        const ends = (resolve) => child.on('error', () => resolve(true)).on('spawn', () => resolve(false))
        if (await new Promise(ends)) break
      }
      return n })()`
    const count = await evaluate(one, bomb)
    expect(count).toBeGreaterThan(50)
    expect(count).toBeLessThan(600)
    expect(await evaluate(other, "spawnSync('echo', ['x']).stdout.toString()")).toBe('x\n')
    expect(await evaluate(one, '1 + 1')).toBe(2)
  })

  it('take the memory of others: it ends alone', async () => {
    const [one, other] = [await start(), await start()]
    const bomb = 'const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1))'
    await get(one.socketPath, `/${encodeURIComponent(bomb)}`).catch(() => undefined)
    expect(await one.ended).toMatchObject({ outOfMemory: true })
    expect(await evaluate(other, '1 + 1')).toBe(2)
    expect(await readdir(deps.root)).toHaveLength(1)
  })
})
