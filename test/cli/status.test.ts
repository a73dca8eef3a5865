/** `svc status`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { healthOf } from '../../src/cli/connection/readiness.ts'
import { version } from '../../src/lib/version.ts'
import { deploy } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { ownReadiness } from '../support/readiness.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
})

const fieldsOf = (stdout: string) =>
  Object.fromEntries(stdout.split('\n').map((line) => line.split('\t').slice(0, 2)))

describe('svc status', () => {
  it('shows on one screen the server’s status, the user, and the team’s resources', async () => {
    const { code, stdout, stderr } = await svc(['status'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(fieldsOf(stdout)).toMatchObject({
      server: `${node.apiUrl} (version ${version})`,
      health: expect.stringMatching(/^ready(?:, but disk low)?$/),
      disk: expect.stringMatching(/^[\d.]+ % free \([\d.,]+ \w+\), \/\S+$/),
      team: `${team.slug} (free)`,
      you: expect.stringMatching(/^owner, with a key svc_/),
      'rate limit': expect.stringMatching(/^[\d,]+ of [\d,]+ left, [\d,]+\/s refill$/),
      projects: '0',
      deployments: '0',
      domains: '0, 0 verified',
      webhooks: '0',
      traffic: '0 requests in 24 h, 0 B, 0 of them failed',
    })
  })

  it('lists the recent deployments', async () => {
    const { id } = await deploy(team, { target: 'production' })
    const { stdout } = await svc(['status'])
    expect(fieldsOf(stdout)).toMatchObject({ projects: '1', deployments: '1: 1 ready' })
    expect(stdout.trimEnd().split('\n').at(-1)?.split('\t').slice(0, 4)).toEqual([
      ...[id, 'web', 'production', 'live'],
    ])
  })

  it('shows the key’s role, and only the beginning of the key', async () => {
    const { key } = await addMember(node, team)
    const { stdout } = await (await svcWith(node, key))(['status'])
    expect(fieldsOf(stdout).you).toMatch(/^member, with a key svc_/)
    expect(stdout).not.toContain(key)
  })

  it('is one JSON document with --json', async () => {
    const { stdout } = await svc(['status', '--json'])
    const { node: readiness, ...rest } = JSON.parse(stdout)
    expect({ ...rest, node: ownReadiness(readiness) }).toMatchObject({
      url: node.apiUrl,
      node: {
        ready: true,
        database: true,
        blobs: true,
        limits: 'memory',
        degraded: [],
        stopping: false,
        version,
      },
      overview: { team: team.slug, plan: 'free', projects: 0, credential: { role: 'owner' } },
    })
  })

  it('refuses an invalid key with 3', async () => {
    const { code, stdout, stderr } = await svc(['status'], { env: { SVC_TOKEN: 'svc_other' } })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('rejected this API key')
  })
})

/** A server that only responds to `/readyz`, like this. */
async function unready(body: unknown): Promise<string> {
  const server = createServer(({ url }, res) => {
    const isReadyz = url === '/readyz'
    res.writeHead(503, { 'content-type': 'application/json' })
    res.end(JSON.stringify(isReadyz ? body : { error: { message: 'away' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a server that is not ready', () => {
  const health = {
    ready: false,
    database: false,
    blobs: true,
    limits: 'memory',
    stopping: true,
    version: '1',
  }

  it('is reported, and ends with 6', async () => {
    const url = await unready(health)
    const reasons = 'not ready: the database does not respond, stopping'
    expect(await svc(['status'], { env: { SVC_URL: url } })).toEqual({
      code: 6,
      stdout: `server\t${url} (version 1)\nhealth\t${reasons}\n`,
      stderr: `svc: ${url} is ${reasons}.\n`,
    })
  })

  it('is reported in JSON, too', async () => {
    const url = await unready(health)
    const { code, stdout, stderr } = await svc(['status', '--json'], { env: { SVC_URL: url } })
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toEqual({ url, node: { ...health, degraded: [] }, overview: null })
    expect(JSON.parse(stderr)).toMatchObject({ reason: 'not_ready' })
  })

  it('that waits for a port or a process is reported as that', () => {
    const waiting = { ...health, database: true, stopping: false, degraded: [] }
    expect(healthOf({ ...waiting, listening: false })).toBe('not ready: not every port listens')
    expect(healthOf({ ...waiting, unresponsive: ['71'] })).toBe('not ready: process 71 does not respond')
  })

  it('that is ready but distrusts its clock is reported with what to do', () => {
    expect(healthOf({ ...health, ready: true, degraded: ['clock'] })).toBe(
      'ready, but the clock jumped ahead, so nothing expires (svc admin clock accept)',
    )
  })

  it('that is ready with alerts is reported with their names', () => {
    const alerts = ['disk_full', 'certificate_expired'].map((name) => ({ name, place: '/', message: '.' }))
    expect(healthOf({ ...health, ready: true, degraded: ['disk', 'certificate'], alerts })).toBe(
      'ready, but disk full, certificate expired',
    )
  })

  it('that has alerts is reported with the sentence of each', async () => {
    const alert = (name: string) => ({ name, place: '/data', message: `Sentence of ${name}.` })
    const url = await unready({
      ...health,
      degraded: ['disk', 'certificate'],
      alerts: [alert('disk_full'), alert('certificate_expired')],
      disk_space: { path: '/data', free_bytes: 0, free_percent: 0 },
      next_certificate: { place: '/cert.pem', expires_ms: 0 },
    })
    const { stdout } = await svc(['status'], { env: { SVC_URL: url } })
    expect(stdout.split('\n').slice(2, 6)).toEqual([
      'alert\tSentence of disk_full.',
      'alert\tSentence of certificate_expired.',
      'disk\t0 % free (0 B), /data',
      'certificates\tthe first expires 1970-01-01 00:00, /cert.pem',
    ])
  })

  it('that does not respond like one is reported as another server', async () => {
    const url = await unready(['hello'])
    const { code, stderr } = await svc(['status'], { env: { SVC_URL: url } })
    expect(code).toBe(6)
    expect(stderr).toBe(`svc: ${url} does not report whether it is ready.\n`)
  })
})
