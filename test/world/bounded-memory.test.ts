/**
 * Nodes in the memory that deploy/kubernetes gives them, and clients at many addresses that read nothing.
 * @module-tag long
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { greedyRequests } from '../lib/net/unread/raw-session.ts'
import { sendRequest } from '../roles/edge/client.ts'
import { parseExposition } from '../roles/internal/metrics/exposition.ts'
import { newCertificate } from '../support/certificate.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { eventually } from '../support/eventually.ts'
import { canMakeMemoryGroup, makeMemoryGroup } from '../support/memory-group.ts'
import { unique } from '../support/node.ts'
import { freePort } from '../support/ports.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'
import { startS3 } from '../support/s3/server.ts'
import { settingsOf } from '../support/s3/settings.ts'

const mebibyte = 1024 * 1024
const fileBytes = 4_000_000
const requests = 100
const floodMs = 10_000
const patienceMs = 300_000

/** What may be left of a flood, and after how long. */
const leftBytes = 50 * mebibyte
const afterMs = 60_000

const after = createCleanUps()

/** The program that serves sites over TLS, alone in a group, and the host of a site. */
type Served = { program: Program; tlsPort: string; internalPort: string; host: string }

/** Settings that make a program serve sites over TLS. */
async function edgeSettings() {
  const place = join(inject('directory'), unique('bounded'))
  const { cert, key } = await newCertificate('*.localhost')
  await writeFile(`${place}.crt`, cert)
  await writeFile(`${place}.key`, key)
  return {
    SVC_EDGE_TLS_PORT: await freePort(),
    SVC_EDGE_TLS_CERT: `${place}.crt`,
    SVC_EDGE_TLS_KEY: `${place}.key`,
    SVC_EDGE_HTTPS_REDIRECT: '0',
    SVC_INTERNAL_PORT: await freePort(),
  }
}

async function startIn(bytes: number, settings: Record<string, string>): Promise<Program> {
  const group = await makeMemoryGroup(bytes)
  after.add(() => group.remove())
  const collecting = { NODE_OPTIONS: `--import ${resolve('test/support/collect-garbage.mjs')}` }
  return startProgram({ ...settings, ...collecting }, { group: group.directory })
}

/** Deploys a site with a large file; resolves to its host. */
async function deploySite({ apiUrl, key }: Program): Promise<string> {
  const send = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(apiUrl + path, { method, headers, body: JSON.stringify(body) })
    return response.json()
  }
  await send('PUT', '/v1/projects/web', {})
  const files = [
    { path: 'large.bin', content: Buffer.alloc(fileBytes, 'a').toString() },
    { path: 'index.html', content: 'hello' },
  ]
  const deployed = await send('POST', '/v1/deployments', { project: 'web', files })
  return new URL(z.object({ url: z.string() }).parse(deployed).url).hostname
}

async function startWhole(): Promise<Served> {
  const settings = { ...(await edgeSettings()), SVC_DATA_DIR: await newDataDirectory() }
  const program = await startIn(768 * mebibyte, settings)
  after.add(() => program.end('SIGKILL'))
  const { SVC_EDGE_TLS_PORT: tlsPort, SVC_INTERNAL_PORT: internalPort } = settings
  return { program, tlsPort, internalPort, host: await deploySite(program) }
}

async function startEdge(): Promise<Served> {
  const s3 = await startS3()
  after.add(() => s3.close())
  const shared = {
    ...settingsOf(s3, 'sites'),
    DATABASE_URL: await after.newDatabase(process.env.TEST_ON),
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  }
  const api = await startProgram({
    ...shared,
    SVC_DATA_DIR: await newDataDirectory(),
    SVC_ROLES: 'api,worker',
  })
  after.add(() => api.end('SIGKILL'))
  const host = await deploySite(api)
  const own = { SVC_DATA_DIR: await newDataDirectory(), SVC_ROLES: 'edge', SVC_URL: api.apiUrl }
  const settings = { ...(await edgeSettings()), ...shared, ...own }
  const program = await startIn(1_024 * mebibyte, settings)
  after.add(() => program.end('SIGKILL'))
  return { program, tlsPort: settings.SVC_EDGE_TLS_PORT, internalPort: settings.SVC_INTERNAL_PORT, host }
}

async function openGreedy({ tlsPort, host }: Served, localAddress: string): Promise<TLSSocket> {
  const place = { host: '127.0.0.1', port: Number(tlsPort), localAddress }
  const socket = connect({ ...place, servername: host, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.pause().write(greedyRequests(requests, host, '/large.bin'))
  return socket
}

/** How long the page of another visitor takes, in milliseconds. */
async function visit({ tlsPort, host }: Served): Promise<number> {
  const startMs = performance.now()
  const place = { host: '127.0.0.1', port: tlsPort, path: '/', servername: host }
  const sent = request({ ...place, headers: { host }, agent: false, rejectUnauthorized: false }).end()
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(200)
  await once(response.resume(), 'end')
  return performance.now() - startMs
}

/** What the objects and buffers take to which something in the program refers. */
async function heldBytes({ program, internalPort }: Served): Promise<number> {
  program.process.kill('SIGUSR2')
  const { text } = await sendRequest(Number(internalPort), 'localhost', '/metrics')
  const families = parseExposition(text)
  const names = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes']
  return names.reduce((sum, name) => sum + (families.get(name)?.samples[0]?.value ?? Number.NaN), 0)
}

describe.runIf(canMakeMemoryGroup).each([
  { name: 'a node in 768 MiB', canRun: true, start: startWhole },
  { name: 'an edge alone in 1 GiB', canRun: Boolean(process.env.TEST_ON), start: startEdge },
])('$name', ({ canRun, start }) => {
  describe.runIf(canRun)('under floods', () => {
    let served: Served
    let beforeBytes: number

    beforeAll(async () => {
      served = await start()
      // Some of what any visit loads.
      for (let each = 0; each < 20; each += 1) await visit(served)
      beforeBytes = await heldBytes(served)
    }, patienceMs)

    it.each([20, 40, 100, 200, 200])(
      'outlives %i addresses, serves others, and gives back what they took',
      async (addresses) => {
        const greedy: TLSSocket[] = []
        for (let each = 0; each < addresses; each += 1)
          greedy.push(await openGreedy(served, `127.1.0.${each + 2}`))
        const times: number[] = []
        for (const endMs = performance.now() + floodMs; performance.now() < endMs; await sleep(100))
          times.push(await visit(served))
        for (const socket of greedy) socket.destroy()
        const { exitCode, signalCode } = served.program.process
        expect(exitCode ?? signalCode).toBeNull()
        expect(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]).toBeLessThan(1_000)
        const givenBack = async () => expect(await heldBytes(served)).toBeLessThan(beforeBytes + leftBytes)
        await eventually(givenBack, { limitMs: afterMs, everyMs: 1_000 })
      },
      patienceMs,
    )
  })
})
