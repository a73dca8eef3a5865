/**
 * A node in the memory that deploy/kubernetes gives it, and clients at many addresses that read nothing.
 * @module-tag long
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { greedyRequests } from '../lib/net/unread/raw-session.ts'
import { newCertificate } from '../support/certificate.ts'
import { canMakeMemoryGroup, makeMemoryGroup } from '../support/memory-group.ts'
import { unique } from '../support/node.ts'
import { freePort } from '../support/ports.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const mebibyte = 1024 * 1024
const fileBytes = 4_000_000
const requests = 100
const floodMs = 10_000
const patienceMs = 300_000

describe.runIf(canMakeMemoryGroup)('in 768 MiB', () => {
  let program: Program
  let group: Awaited<ReturnType<typeof makeMemoryGroup>>
  let port: string
  let host: string

  beforeAll(async () => {
    group = await makeMemoryGroup(768 * mebibyte)
    port = await freePort()
    const place = join(inject('directory'), unique('bounded'))
    const { cert, key } = await newCertificate('*.localhost')
    await writeFile(`${place}.crt`, cert)
    await writeFile(`${place}.key`, key)
    const settings = {
      SVC_DATA_DIR: await newDataDirectory(),
      SVC_EDGE_TLS_PORT: port,
      SVC_EDGE_TLS_CERT: `${place}.crt`,
      SVC_EDGE_TLS_KEY: `${place}.key`,
      SVC_EDGE_HTTPS_REDIRECT: '0',
    }
    program = await startProgram(settings, { group: group.directory })
    await send('PUT', '/v1/projects/web', {})
    const content = Buffer.alloc(fileBytes, 'a').toString()
    const files = [
      { path: 'large.bin', content },
      { path: 'index.html', content: 'hello' },
    ]
    const deployed = await send('POST', '/v1/deployments', { project: 'web', files })
    host = new URL(z.object({ url: z.string() }).parse(deployed).url).hostname
  }, patienceMs)

  afterAll(async () => {
    await program.end('SIGKILL')
    await group.remove()
  })

  async function send(method: string, path: string, body: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
    const response = await fetch(program.apiUrl + path, { method, headers, body: JSON.stringify(body) })
    return response.json()
  }

  async function openGreedy(localAddress: string): Promise<TLSSocket> {
    const place = { host: '127.0.0.1', port: Number(port), localAddress }
    const socket = connect({ ...place, servername: host, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.pause().write(greedyRequests(requests, host, '/large.bin'))
    return socket
  }

  /** How long the page of another visitor takes, in milliseconds. */
  async function visit(): Promise<number> {
    const startMs = performance.now()
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/',
      servername: host,
      headers: { host },
      agent: false,
      rejectUnauthorized: false,
    }).end()
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(200)
    await once(response.resume(), 'end')
    return performance.now() - startMs
  }

  it.each([20, 200, 200])(
    'the node outlives %i addresses, and serves others',
    async (addresses) => {
      const greedy: TLSSocket[] = []
      for (let each = 0; each < addresses; each += 1) greedy.push(await openGreedy(`127.1.0.${each + 2}`))
      const times: number[] = []
      for (const endMs = performance.now() + floodMs; performance.now() < endMs; await sleep(100)) {
        times.push(await visit())
      }
      for (const socket of greedy) socket.destroy()
      expect(program.process.exitCode ?? program.process.signalCode).toBeNull()
      expect(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]).toBeLessThan(1_000)
    },
    patienceMs,
  )
})
