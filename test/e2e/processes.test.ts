/**
 * SVC_PROCESSES=2 on PostgreSQL: two processes that serve clients look like one, also when one of them is
 * killed.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect as connectTcp, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ownNode } from '../platform/sandbox/own-node.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { type Connection, connectToEach, programsOf, runningOf } from '../support/connected-process.ts'
import { freePort } from '../support/ports.ts'
import { postgresUrl } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'
import { hasSandbox } from '../support/sandbox.ts'
import { newWorkTree, type WorkTree } from '../support/work-tree.ts'

const server = await postgresUrl()
const canRun = server !== undefined && process.platform === 'linux'
const sandboxed = await hasSandbox()
const burst = 12
const maxConnections = 60

const answered = z
  .object({ id: z.string(), token: z.string(), missing: z.array(z.object({ upload_url: z.string() })) })
  .partial()

/** What happens soon, but has no bar of its own. */
const patience = { timeout: 10_000, interval: 20 }

/** A local address that no other connections use: too many of one address close the idle ones among them. */
const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

const newName = () => `p-${randomBytes(4).toString('hex')}`

describe.runIf(canRun)('two processes', () => {
  const cleanUps = createCleanUps()
  let environment: Record<string, string> = {}
  let program: Program
  let internalPort: string
  let pids: number[] = []

  beforeAll(async () => {
    internalPort = await freePort()
    environment = {
      DATABASE_URL: await cleanUps.newDatabase(server),
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SVC_DATA_DIR: await cleanUps.newDirectory(),
      SVC_INTERNAL_PORT: internalPort,
      SVC_PROCESSES: '2',
      SVC_RATE_ANONYMOUS: `1/${burst}`,
      SVC_EDGE_CONNECTIONS: String(maxConnections),
    }
    program = await startProgram(environment)
    pids = await programsOf(program.process.pid ?? 0)
  })

  afterAll(() => program.end('SIGKILL'))

  const authorization = () => `Bearer ${program.key}`
  const apiPort = () => Number(new URL(program.apiUrl).port)
  const edgePort = () => Number(new URL(program.siteUrl('x')).port)

  /** Connections to the API, `each` to every process. */
  async function toApi(each = 1, headers = { authorization: authorization() }): Promise<Connection[]> {
    const place = { port: apiPort(), headers, localAddress: newAddress() }
    const all = await connectToEach(place, pids, each)
    onTestFinished(() => all.forEach(({ close }) => void close()))
    return all
  }

  /** The same to the site with a label. */
  async function toSite(label: string): Promise<Connection[]> {
    const { host } = new URL(program.siteUrl(label))
    const place = { port: edgePort(), headers: { host }, localAddress: newAddress() }
    const all = await connectToEach(place, pids)
    onTestFinished(() => all.forEach(({ close }) => void close()))
    return all
  }

  async function internal(path: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${internalPort}${path}`)).text()
  }

  /** The value of a series, as all of its labels are written. */
  async function sampleOf(series: string): Promise<number> {
    const text = await internal('/metrics')
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    )
  }

  /** A push of `main`, as git sends it. */
  async function pushOf(tree: WorkTree): Promise<Buffer> {
    const file = join(tree.directory, '.git', 'pushed.bundle')
    await tree.git('bundle', 'create', '--quiet', file, 'main')
    const bundle = await readFile(file)
    const { output: commit } = await tree.git('rev-parse', 'main')
    const line = `${'0'.repeat(40)} ${commit} refs/heads/main\0 report-status`
    const length = (line.length + 4).toString(16).padStart(4, '0')
    return Buffer.concat([Buffer.from(`${length}${line}0000`), bundle.subarray(bundle.indexOf('\n\n') + 2)])
  }

  /** How many packs arrive in repositories of the data directory. */
  async function arrivingIn(directory: string): Promise<number> {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
    const isOfIt = (line: string) => line.startsWith('git\0') && line.includes(`=${directory}/`)
    return lines.filter((line) => isOfIt(line) && line.includes('\0--stateless-rpc\0')).length
  }

  async function deploy(connection: Connection | undefined, project: string, content: string): Promise<void> {
    const files = [{ path: 'index.html', content }]
    const body = JSON.stringify({ project, target: 'production', files })
    expect(await connection?.send('POST', '/v1/deployments', body)).toMatchObject({ status: 200 })
  }

  it('are started, and both answer', async () => {
    expect(pids).toHaveLength(2)
    const all = await toApi(2)
    expect(new Set(all.map(({ pid }) => pid))).toEqual(new Set(pids))
    for (const { send } of all) expect((await send('GET', '/v1/projects')).status).toBe(200)
    const ready = JSON.parse((await all[0]?.send('GET', '/readyz'))?.body ?? '')
    expect(ready).toEqual(JSON.parse(await internal('/readyz')))
  })

  it('have one page of metrics, with the requests of both', async () => {
    const all = await toApi()
    const series = 'svc_api_requests_total{operation="teams.list",status="200"}'
    const before = await sampleOf(series)
    for (const { send } of all) for (const path of Array(3).fill('/v1/teams')) await send('GET', path)
    expect(await sampleOf(series)).toBe(before + 6)
    expect(await sampleOf('svc_store_up')).toBe(1)
    expect(await sampleOf('svc_role_info{role="worker"}')).toBe(1)
  })

  it('have one log, in whole lines', async () => {
    const all = await toApi()
    const names = all.map(() => newName())
    for (const [at, { send }] of all.entries()) await send('PUT', `/v1/projects/${names[at]}`)
    await expect
      .poll(() => names.every((name) => program.stderr().includes(`"/v1/projects/${name}"`)), patience)
      .toBe(true)
    const lines = program.stderr().trimEnd().split('\n')
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
  })

  it('have one rate limit', async () => {
    const place = { port: apiPort(), localAddress: newAddress() }
    const all = await connectToEach(place, pids, burst)
    const startMs = performance.now()
    const answers = await Promise.all(all.map(({ send }) => send('GET', '/v1/projects')))
    const seconds = Math.ceil((performance.now() - startMs) / 1_000)
    for (const { close } of all) close()
    const passed = answers.filter(({ status }) => status === 401).length
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(passed).toBeGreaterThanOrEqual(burst)
    expect(passed).toBeLessThan(burst + seconds)
  })

  it.runIf(sandboxed)('have one process of a server, whichever of them answers', async () => {
    const project = newName()
    const content = `require('node:http')
      .createServer((request, response) => response.end(String(start)))
      .listen(process.env.PORT)
      const start = Math.random()`
    const files = [{ path: 'server.js', content }]
    const [api] = await toApi()
    const body = JSON.stringify({ project, target: 'production', files })
    await api?.send('PUT', `/v1/projects/${project}`)
    expect(await api?.send('POST', '/v1/deployments', body)).toMatchObject({ status: 200 })
    const { version, platform } = ownNode
    const sql = postgres(environment.DATABASE_URL ?? '', { max: 1 })
    const built = { command: 'node server.js', directory: '.', node: version, platform }
    await sql`update deployments set server = ${sql.json(built)}, server_manifest_id = manifest_id
      where project_id = (select id from projects where name = ${project})`
    await sql.end()
    const all = await toSite(project)
    const answers = await Promise.all(all.map(({ send }) => send('GET', '/')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body).toMatch(/^0\./)
    expect(answers[1]?.body).toBe(answers[0]?.body)
    expect(await sampleOf('svc_servers{state="running"}')).toBe(1)
  })

  it('have one limit of connections for an address', async () => {
    const localAddress = newAddress()
    const options = { host: '127.0.0.1', port: edgePort(), localAddress }
    const sockets = Array.from({ length: maxConnections * 2 }, () => connectTcp(options))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    let closed = 0
    for (const socket of sockets) socket.on('error', () => {}).once('close', () => (closed += 1))
    await expect.poll(() => closed, patience).toBe(maxConnections)
    await sleep(100)
    expect(closed).toBe(maxConnections)
  })

  it('both refuse a revoked key, within a second', async () => {
    const [one, other] = await toApi()
    const made = await one?.send('POST', '/v1/apikeys', JSON.stringify({ name: 'ci', role: 'owner' }))
    const { id, token } = answered.parse(JSON.parse(made?.body ?? ''))
    const localAddress = newAddress()
    const place = { port: apiPort(), localAddress, headers: { authorization: `Bearer ${token}` } }
    const holders = await connectToEach(place, pids)
    onTestFinished(() => holders.forEach(({ close }) => void close()))
    const statuses = async () =>
      (await Promise.all(holders.map(({ send }) => send('GET', '/v1/projects')))).map(({ status }) => status)
    expect(await statuses()).toEqual([200, 200])
    expect((await other?.send('DELETE', `/v1/apikeys/${id}`))?.status).toBe(200)
    await expect.poll(statuses, { timeout: 1_000, interval: 20 }).toEqual([401, 401])
  })

  it('both serve what was promoted, within a second', async () => {
    const [one, other] = await toApi()
    const name = newName()
    await one?.send('PUT', `/v1/projects/${name}`)
    await deploy(one, name, 'old')
    const visitors = await toSite(name)
    const pages = async () =>
      (await Promise.all(visitors.map(({ send }) => send('GET', '/')))).map(({ body }) => body)
    expect(await pages()).toEqual(['old', 'old'])
    await deploy(other, name, 'new')
    await expect.poll(pages, { timeout: 1_000, interval: 20 }).toEqual(['new', 'new'])
  })

  it('replay each other’s responses, and deploy each other’s uploads', async () => {
    const [one, other] = await toApi()
    const name = newName()
    await one?.send('PUT', `/v1/projects/${name}`)
    const content = randomBytes(300).toString('hex')
    const sha256 = createHash('sha256').update(content).digest('hex')
    const body = JSON.stringify({ project: name, files: [{ path: 'a', sha256, size: content.length }] })
    const missing = answered.parse(JSON.parse((await one?.send('POST', '/v1/deployments', body))?.body ?? ''))
    const { pathname, search } = new URL(missing.missing?.[0]?.upload_url ?? '')
    const type = { 'content-type': 'application/octet-stream' }
    expect((await other?.send('PUT', pathname + search, content, type))?.status).toBe(200)
    const key = { 'idempotency-key': newName() }
    const first = await one?.send('POST', '/v1/deployments', body, key)
    expect(first?.status).toBe(200)
    expect(await other?.send('POST', '/v1/deployments', body, key)).toEqual(first)
  })

  it('have each other’s events in their streams', async () => {
    const texts = new Map<Connection, string>()
    const all = await toApi()
    for (const connection of all) {
      texts.set(connection, '')
      connection.read('/trpc/events.follow?input=%7B%7D', (text) => {
        texts.set(connection, texts.get(connection) + text)
      })
    }
    await expect
      .poll(() => [...texts.values()].every((text) => text.includes('connected')), patience)
      .toBe(true)
    for (const { send } of await toApi()) {
      const { id = '' } = answered.parse(JSON.parse((await send('PUT', `/v1/projects/${newName()}`)).body))
      await expect.poll(() => [...texts.values()].every((text) => text.includes(id)), patience).toBe(true)
    }
  })

  it('lend places for packs together, and take back those of one that is killed', {
    timeout: 30_000,
  }, async () => {
    const tree = await newWorkTree()
    await tree.commit({ 'index.html': 'page', 'large.bin': randomBytes(200_000) })
    const body = await pushOf(tree)
    const path = '/git/personal/places.git/git-receive-pack'
    const basic = { authorization: `Basic ${Buffer.from(`x:${program.key}`).toString('base64')}` }
    const [killed] = pids
    const all = await toApi(4)
    const there = all.filter(({ pid }) => pid === killed)
    const [other, busy] = all.filter(({ pid }) => pid !== killed)
    async function* unfinished() {
      yield body.subarray(0, 100_000)
      await new Promise(() => {})
    }
    for (const { send } of there) send('POST', path, unfinished(), basic).catch(() => {})
    const receiving = () => arrivingIn(environment.SVC_DATA_DIR ?? '')
    await expect.poll(receiving, patience).toBe(4)
    let answer = ''
    async function* whole() {
      yield body
    }
    const pushing = other?.send('POST', path, whole(), basic).then((answered) => {
      answer = answered.body
    })
    // What takes longer than the push would.
    const name = newName()
    await busy?.send('PUT', `/v1/projects/${name}`)
    for (let times = 0; times < 40; times += 1) await deploy(busy, name, `page ${times}`)
    expect({ answer, places: await receiving() }).toEqual({ answer: '', places: 4 })
    process.kill(killed ?? 0, 'SIGKILL')
    await pushing
    expect(answer).toContain('ok refs/heads/main')
    await expect.poll(async () => JSON.parse(await internal('/readyz')).ready, { timeout: 10_000 }).toBe(true)
    pids = await programsOf(program.process.pid ?? 0)
  })

  it('fail a push whose process is killed, leave nothing of it, and take it again', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const name = newName()
    const remote = `${program.apiUrl.replace('//', `//x:${program.key}@`)}/git/personal/${name}.git`
    const tree = await newWorkTree()
    await tree.commit({ 'index.html': 'old' })
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
    const namesInGit = async () =>
      (await readdir(join(environment.SVC_DATA_DIR ?? '', 'git'), { recursive: true })).sort()
    const isPutAside = (path: string) => /tmp_|svc-|incoming-|\.lock$/.test(path)
    const putAside = async () => (await namesInGit()).filter(isPutAside)
    await expect.poll(putAside, { timeout: 60_000 }).toEqual([])
    const before = await namesInGit()
    await tree.commit({ 'index.html': 'new', 'large.bin': randomBytes(1_000_000) })
    const body = await pushOf(tree)
    async function* half() {
      yield body.subarray(0, body.length / 2)
      await new Promise(() => {})
    }
    const [killed, other] = await toApi()
    const basic = { authorization: `Basic ${Buffer.from(`x:${program.key}`).toString('base64')}` }
    const path = `/git/personal/${name}.git/git-receive-pack`
    const pushing = killed?.send('POST', path, half(), basic)
    const refused = expect(pushing).rejects.toThrow()
    const halves = async () => (await putAside()).filter((each) => each.includes('tmp_pack_'))
    await expect.poll(halves, patience).not.toEqual([])
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await refused
    expect((await other?.send('GET', `/v1/projects/${name}`))?.status).toBe(200)
    await expect.poll(namesInGit, { timeout: 60_000 }).toEqual(before)
    expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
    await expect.poll(async () => JSON.parse(await internal('/readyz')).ready, { timeout: 10_000 }).toBe(true)
    pids = await programsOf(program.process.pid ?? 0)
  })

  it('are restarted when they are killed, while the others go on, and nothing acknowledged is lost', {
    tags: 'long',
    timeout: 30_000,
  }, async () => {
    const [killed, other] = await toApi()
    const acknowledged: string[] = []
    let isOver = false
    const series = 'svc_api_requests_total{operation="projects.put",status="200"}'
    const before = await sampleOf(series)
    const put = async (send: Connection['send']) => {
      const name = newName()
      const { status } = await send('PUT', `/v1/projects/${name}`)
      expect(status).toBe(200)
      acknowledged.push(name)
    }
    const untilKilled = (async () => {
      for (;;) await put(killed?.send ?? expect.unreachable())
    })().catch(() => {})
    const meanwhile = (async () => {
      while (!isOver) await put(other?.send ?? expect.unreachable())
    })()
    await expect.poll(() => acknowledged.length, patience).toBeGreaterThan(20)
    await sampleOf(series)
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await untilKilled
    await expect.poll(async () => JSON.parse(await internal('/readyz')).listening, patience).toBe(false)
    const reading = acknowledged.length
    await expect.poll(async () => JSON.parse(await internal('/readyz')).ready, { timeout: 5_000 }).toBe(true)
    expect(acknowledged.length).toBeGreaterThan(reading)
    isOver = true
    await meanwhile
    const restarted = await programsOf(program.process.pid ?? 0)
    expect(restarted).toHaveLength(2)
    expect(restarted).not.toContain(killed?.pid)
    pids = restarted
    const listed = await Promise.all(
      (await toApi()).map(async ({ send }) => {
        const missing: string[] = []
        for (const name of acknowledged)
          if ((await send('GET', `/v1/projects/${name}`)).status !== 200) missing.push(name)
        return missing
      }),
    )
    expect(listed).toEqual([[], []])
    // Of the one that was killed, what it counted until the page was read last.
    expect(await sampleOf(series)).toBeGreaterThan(before + 20)
    expect(program.stderr()).toMatch(/was ended by SIGKILL; it is started again/)
  })

  it('one that stands still is killed and started again, and until then the node is not ready', {
    tags: 'long',
  }, async () => {
    const [stopped = 0] = pids
    process.kill(stopped, 'SIGSTOP')
    const look = async () => JSON.parse(await internal('/readyz'))
    const isReady = async () => (await look()).ready
    await expect.poll(look, patience).toMatchObject({ ready: false, unresponsive: [stopped] })
    await expect.poll(() => programsOf(program.process.pid ?? 0), { timeout: 30_000 }).not.toContain(stopped)
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
    pids = await programsOf(program.process.pid ?? 0)
    expect(pids).toHaveLength(2)
    expect(program.stderr()).toMatch(/does not respond; it is killed/)
  })

  it('stop together, after they have answered what was under way', { tags: 'long' }, async () => {
    const name = newName()
    const [one] = await toApi()
    await one?.send('PUT', `/v1/projects/${name}`)
    await deploy(one, name, 'hello')
    async function* slowly() {
      for (const part of '{            }') {
        yield part
        await sleep(60)
      }
    }
    const slow = (await toApi()).map(({ send }) => send('PUT', `/v1/projects/${newName()}`, slowly()))
    let answers = 0
    const callers = [
      ...(await toApi(2)).map(({ send }) => ({ send, path: `/v1/projects/${name}` })),
      ...(await toSite(name)).map(({ send }) => ({ send, path: '/' })),
    ]
    const refused = Promise.all(
      callers.map(async ({ send, path }) => {
        try {
          for (; ; answers += 1) expect((await send('GET', path)).status).toBe(200)
        } catch (error) {
          expect(error).toMatchObject({ code: 'ECONNREFUSED' })
        }
      }),
    )
    await expect.poll(() => answers, patience).toBeGreaterThan(100)
    const end = program.end('SIGTERM')
    await refused
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200])
    expect(await end).toBe(0)
    expect(await runningOf(pids)).toEqual([])
  })

  it('end when the first process is killed, and leave their ports to the next', {
    tags: 'long',
  }, async () => {
    await program.end('SIGTERM')
    const ports = { SVC_PORT: await freePort(), SVC_EDGE_PORT: await freePort() }
    program = await startProgram({ ...environment, ...ports })
    const orphans = await programsOf(program.process.pid ?? 0)
    expect(orphans).toHaveLength(2)
    await program.end('SIGKILL')
    program = await startProgram({ ...environment, ...ports })
    expect(await runningOf(orphans)).toEqual([])
    pids = await programsOf(program.process.pid ?? 0)
    expect(
      (
        await Promise.all(
          (await toApi(1, { authorization: 'none' })).map(({ send }) => send('GET', '/healthz')),
        )
      ).map(({ status }) => status),
    ).toEqual([200, 200])
  })

  it('refuse a port that is in use', { tags: 'long' }, async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = String(typeof address === 'object' ? address?.port : address)
    const started = startProgram({
      ...environment,
      SVC_DATA_DIR: await cleanUps.newDirectory(),
      SVC_INTERNAL_PORT: '0',
      SVC_PORT: port,
    })
    await expect(started).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use. Set SVC_PORT to a free one.`)
  })
})

describe('on the embedded database', () => {
  const cleanUps = createCleanUps()

  it('more than one process is refused', async () => {
    const started = startProgram({ SVC_DATA_DIR: await cleanUps.newDirectory(), SVC_PROCESSES: '2' })
    await expect(started).rejects.toThrow('SVC_PROCESSES=2 needs DATABASE_URL')
  })

  it('auto is one process, and says so', { tags: 'long' }, async () => {
    const program = await startProgram({ SVC_DATA_DIR: await cleanUps.newDirectory(), SVC_PROCESSES: 'auto' })
    cleanUps.add(() => program.end('SIGTERM'))
    expect(program.stderr()).toMatch(/^SVC_PROCESSES=auto: .* Set DATABASE_URL to use all cores\.$/m)
    expect(await programsOf(program.process.pid ?? 0)).toEqual([])
  })
})
