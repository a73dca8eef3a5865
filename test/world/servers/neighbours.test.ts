/**
 * An application that does what it likes, beside another one on a whole node.
 * @module-tag long
 */
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { deployNeighbour, type Neighbour, processesWith } from './neighbour.ts'
import { type Platform, startPlatform } from './platform.ts'
import { send } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const [ownVersion = ''] = process.versions.node.split('.')

/** A value of a variable, and one of the other application's. */
const [secret, othersSecret] = ['not-for-the-log-4711', 'not-for-neighbours-0815']

let platform: Platform
let one: Neighbour
let other: Neighbour

beforeAll(async () => {
  platform = await startPlatform(ownVersion)
  one = await deployNeighbour(platform, 'one', { variables: [`SECRET=${secret}`] })
  other = await deployNeighbour(platform, 'other', { variables: [`SECRET=${othersSecret}`] })
  await other.evaluate('')
})
afterAll(() => platform.program.end('SIGTERM'))

/** The port that a URL names. */
const portOf = (url: string) => Number(new URL(url).port)

describe('an application', () => {
  it('has a user of its own, if the platform may give it one', async () => {
    const users = [
      await one.evaluate('return process.getuid()'),
      await other.evaluate('return process.getuid()'),
    ]
    expect(users).not.toContain(0)
    expect(new Set(users).size).toBe(process.getuid?.() === 0 ? 2 : 1)
  })

  it('sees no processes but its own, and no variables of others', async () => {
    const seen = await one.evaluate(`
      return fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((pid) => {
      try { return fs.readFileSync('/proc/' + pid + '/environ', 'utf8') } catch { return '' } })`)
    expect(seen).toHaveLength(3)
    expect(String(seen)).toContain(secret)
    expect(String(seen)).not.toContain(othersSecret)
    expect(String(seen)).not.toContain('SVC_DATA_DIR')
  })

  it('finds nothing of the node and of others in files', async () => {
    const paths = [
      platform.settings.SVC_DATA_DIR,
      process.cwd(),
      '/root',
      '/sys',
      '/run',
      '/var/lib',
      '/proc/1/root/etc',
    ]
    const script = `return ${JSON.stringify(paths)}.map((path) => {
      try { return fs.readdirSync(path) } catch { return 0 } })`
    expect(await one.evaluate(script)).toEqual(paths.map(() => 0))
    expect(await one.evaluate("return fs.readdirSync('/workspace').sort()")).toEqual([
      'Procfile',
      'package.json',
      'server.js',
    ])
  })

  it('has no open files of the node', async () => {
    const targets = await one.evaluate(`return fs.readdirSync('/proc/self/fd').flatMap((name) => {
      try { return [fs.readlinkSync('/proc/self/fd/' + name)] } catch { return [] } })`)
    for (const target of Array.isArray(targets) ? targets : [targets])
      expect(target).toMatch(/^(socket:|pipe:|anon_inode:|\/dev\/null$|\/proc\/)/)
  })

  it('reaches no address but its own, and no socket without a path', async () => {
    const targets = [
      { host: '127.0.0.1', port: portOf(platform.program.apiUrl) },
      { host: '127.0.0.1', port: portOf(one.url) },
      { host: '::1', port: portOf(platform.program.apiUrl) },
      { host: '169.254.169.254', port: 80 },
      { host: '10.0.0.1', port: 80 },
    ]
    const codes = await one.evaluate(`return Promise.all(${JSON.stringify(targets)}.map((target) =>
      new Promise((resolve) => net.connect(target).on('connect', () => resolve('connected'))
        .on('error', (error) => resolve(error.code)))))`)
    expect(codes).toHaveLength(targets.length)
    expect(codes).not.toContain('connected')
    expect(
      await one.evaluate("return fs.readFileSync('/proc/net/unix', 'utf8').trim().split('\\n').length"),
    ).toBe(1)
  })

  it('keeps nothing when it is stopped, whatever it leaves behind', async () => {
    const thief = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {})
      require('node:net').createServer((socket) => socket.destroy()).listen({ fd: 3 })`
    const left = `${one.mark}-left`
    await one.evaluate(`process.on('SIGTERM', () => {})
      const stdio = ['ignore', 'ignore', 'ignore', 100]
      const command = ['-e', ${JSON.stringify(thief)}, '${left}']
      run.spawn(process.execPath, command, { detached: true, stdio }).unref()
      run.spawn('/bin/sh', ['-c', '(trap "" TERM HUP; setsid sleep 1000 & wait) & exit', '${left}']).unref()`)
    await eventually(async () => expect(await processesWith(left)).not.toEqual([]))
    const [before] = [await one.evaluate('return process.getuid()')]
    await platform.svc(['ps', 'restart', 'one'])
    for (let times = 0; times < 20; times += 1) {
      const answer = await send(one.url, '/')
      expect(answer.status).toBe(200)
    }
    if (process.getuid?.() === 0) expect(await one.evaluate('return process.getuid()')).not.toBe(before)
    await eventually(async () => expect(await processesWith(left)).toEqual([]), { limitMs: 90_000 })
  })
})

describe('of its credentials', () => {
  const get = async (headers: Record<string, string>, path = '/') => {
    const { text } = await send(one.url, path, { headers })
    return text
  }

  it.each(['Bearer', 'bearer  ', 'Token', 'ApiKey'])('a key as %s never arrives', async (scheme) => {
    const { key = '' } = platform.program
    expect(await get({ authorization: `${scheme} ${key}` })).not.toContain(key)
  })

  it.each(['x:', ''])('a key as Basic after "%s" never arrives', async (user) => {
    const given = Buffer.from(`${user}${platform.program.key}${user === '' ? ':' : ''}`).toString('base64')
    const text = await get({ authorization: `Basic ${given}` })
    expect(text).toContain('"pid"')
    expect(text.toLowerCase()).not.toContain('authorization')
  })

  it('neither do cookies, fields and parameters of the platform', async () => {
    const cookie = 'a=1; svc_visit=hidden; __Host-svc_visit=hidden; SVC_x=hidden; b=2'
    const path = '/p?x-svc-share=hidden&a=1&x-svc-bypass=hidden&x%2Dsvc-share=hidden'
    const text = await get({ cookie, 'x-svc-bypass': 'hidden', 'X-Svc-Other': 'hidden' }, path)
    expect(text).not.toContain('hidden')
    expect(JSON.parse(text)).toMatchObject({
      url: '/p?a=1',
      fields: expect.arrayContaining(['a=1; b=2']),
    })
  })

  it('a visitor gets no cookie for the names beside it, and none of the platform', async () => {
    const { headers } = await send(one.url, '/')
    expect(headers['set-cookie']).toEqual(['own=1'])
  })

  it.each([
    '/.well-known/acme-challenge/token',
    '/.well-known/acme%2dchallenge/token',
    '/%2ewell-known/acme-challenge/token',
    '/.well-known/svc/door',
    '/.WELL-KNOWN/svc/door',
    '/.well-known//svc/door',
  ])('%s is not its own', async (path) => {
    expect((await send(one.url, path)).text).not.toContain('"pid"')
  })
})

describe('its lines', () => {
  const lines = () => platform.svc(['logs', '--project', 'one', '--kind', 'runtime'])

  it('have no value of a variable, however that is written', async () => {
    const half = secret.length / 2
    await one.evaluate(`const [first, last] = ['${secret.slice(0, half)}', '${secret.slice(half)}']
      const pause = () => new Promise((resolve) => setTimeout(resolve, 300))
      for (const stream of [process.stdout, process.stderr]) {
        stream.write('in two writes ' + first); stream.write(last + '\\n')
        stream.write('after a pause ' + first); await pause(); stream.write(last + '\\n')
        stream.write(JSON.stringify({ json: process.env.SECRET }) + '\\n')
        stream.write('coloured ' + first + '\\x1b[31m' + last + '\\n')
        stream.write('end of ' + stream.fd + '\\n')
      }`)
    const text = await eventually(async () => {
      const text = await lines()
      expect(text).toContain('end of 1')
      expect(text).toContain('end of 2')
      return text
    })
    expect(text.match(/\[redacted\]/g)).toHaveLength(8)
    for (const part of [secret.slice(0, half), secret.slice(half)]) expect(text).not.toContain(part)
  })
})

describe('its files', () => {
  it.each([
    '/server.js',
    '/.env',
    '/Procfile',
    '/package.json',
    '/svc.json',
    '/node_modules/x/index.js',
    '/%73erver.js',
    '//server.js',
    '/server%2ejs',
    '/x/..%2fserver.js',
    '/x/../server.js',
    '/%2e%2e/server.js',
    '/workspace/server.js',
  ])('%s is answered by itself, or by nobody', async (path) => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const answer = await send(one.url, path, { headers })
      if (answer.status === 200) expect(JSON.parse(answer.text)).toMatchObject({ url: path })
      else expect(answer.status).toBe(400)
    }
  })
})

describe('its options for Node', () => {
  it('are used, but for debuggers, and the platform still reaches it', async () => {
    const port = await unusedPort()
    const debugging = `--inspect=0.0.0.0:${port} --inspect_port=${port}`
    const options = `--require ./first.js ${debugging} --max-old-space-size=90`
    const application = await deployNeighbour(platform, 'options', {
      variables: [`NODE_OPTIONS=${options}`],
      files: { 'first.js': 'globalThis.isFirst = true' },
    })
    const found = await application.evaluate(`return {
      isFirst: globalThis.isFirst, url: inspector.url() ?? 'none',
      heap: v8.getHeapStatistics().heap_size_limit / 2 ** 20 }`)
    expect(found).toMatchObject({ isFirst: true, url: 'none' })
    expect(found).toHaveProperty('heap', expect.closeTo(90, -2))
    expect(await isOpen(port)).toBe(false)
  })

  it('open no port of the machine where its command has them', async () => {
    const port = await unusedPort()
    const application = await deployNeighbour(platform, 'debugged', {
      files: { Procfile: `web: node --inspect=0.0.0.0:${port} server.js\n` },
    })
    expect(await application.evaluate('return inspector.url()')).toContain(`:${port}/`)
    expect(await isOpen(port)).toBe(false)
  })
})

describe('a node that is killed', () => {
  it.each(['starting', 'running'])('leaves no server that is %s, and all comes back', async (state) => {
    const visit = () => send(platform.program.siteUrl('other'), '/')
    expect((await visit()).status).toBe(200)
    let visited: Promise<unknown> | undefined
    if (state === 'starting') {
      await platform.svc(['ps', 'restart', 'other'])
      await eventually(async () => expect(await processesWith(other.mark)).toEqual([]))
      visited = visit().catch(() => undefined)
      await eventually(async () => expect(await processesWith(other.mark)).not.toEqual([]))
    }
    await platform.program.end('SIGKILL')
    await visited
    await eventually(async () => expect(await processesWith(other.mark)).toEqual([]))
    platform = await startPlatform(ownVersion, { before: platform })
    const runDirectory = join(platform.settings.SVC_DATA_DIR ?? '', 'servers/run')
    expect(await readdir(runDirectory)).toEqual([])
    expect((await visit()).status).toBe(200)
    expect(await readdir(runDirectory)).toHaveLength(1)
  })
})

/** A port of this machine that nobody listens on; whoever else finds it hardly takes it meanwhile. */
async function unusedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!(await isOpen(port))) return port
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
