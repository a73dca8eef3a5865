/**
 * Uploads that end before their bodies, through each proxy: their clients learn why, and others' writes
 * succeed.
 * @module-tag long
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Agent, Agent as HttpsAgent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type NodePair, startNodePair } from '../../support/node-pair.ts'
import { postgresUrl } from '../../support/postgres.ts'
import { apiHost, sitesHost } from '../../support/proxies/proxy.ts'
import { type Door, openDoor, proxies } from './doors.ts'

const server = await postgresUrl()

const bytes = 400_000
const rounds = 8

/** At once, more than keep a connection of their own to a node. */
const writers = 12

describe.runIf(server)('uploads that the bucket refuses', () => {
  let pair: NodePair
  let door: Door
  let uploader: Agent
  let writer: Agent

  beforeAll(async () => {
    pair = await startNodePair(server ?? '', sitesHost)
  })

  afterAll(() => pair.close())

  afterEach(async () => {
    pair.s3.fail(() => undefined)
    uploader.destroy()
    writer.destroy()
    await door.close()
  })

  type Sent = { method: string; path: string; agent: Agent; body: Buffer; hasKey: boolean }

  function send({ method, path, agent, body, hasKey }: Sent): Promise<{ status: number; body: string }> {
    const headers = {
      host: apiHost,
      'content-length': body.length,
      ...(hasKey && { authorization: `Bearer ${pair.key}`, 'content-type': 'application/json' }),
    }
    const place = { ...door.placeOf(apiHost), servername: apiHost, method, path, headers, agent }
    return new Promise((resolve, reject) => {
      request(place, (response) => {
        text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject)
      })
        .on('error', reject)
        .end(body)
    })
  }

  const write = (path: string, value: unknown, method = 'PUT') =>
    send({ method, path, agent: writer, body: Buffer.from(JSON.stringify(value)), hasKey: true })

  /** Resolves to the status, or why there is none. */
  async function uploadRefused(): Promise<number | string> {
    const body = randomBytes(bytes)
    const sha256 = createHash('sha256').update(body).digest('hex')
    const files = [{ path: 'a', sha256, size: bytes }]
    const { body: answer } = await write('/v1/deployments', { project: 'web', files }, 'POST')
    const { pathname, search } = new URL(JSON.parse(answer).missing[0].upload_url)
    const sent = { method: 'PUT', path: pathname + search, agent: uploader, body, hasKey: false }
    return send(sent).then(({ status }) => status, String)
  }

  it.each(
    proxies.flatMap(({ name, start }) => [
      { name, what: 'reset', start, fault: { drop: true as const } },
      { name, what: 'refused', start, fault: { status: 404 } },
    ]),
  )(
    'behind $name, $what',
    async ({ start, fault }) => {
      door = await openDoor(start, pair)
      uploader = new HttpsAgent({ keepAlive: true, maxSockets: 1, ca: door.placeOf(apiHost).ca })
      writer = new HttpsAgent({ keepAlive: true, maxSockets: writers, ca: door.placeOf(apiHost).ca })
      expect((await write('/v1/projects/web', {})).status).toBe(200)
      const others: (number | string)[] = []
      for (let round = 0; round < rounds; round += 1) {
        pair.s3.fail((method) => (method === 'PUT' ? fault : undefined))
        expect(await uploadRefused()).toBe(503)
        pair.s3.fail(() => undefined)
        for (let at = 0; at < 4; at += 1) {
          others.push(await write('/v1/projects/web', {}).then(({ status }) => status, String))
        }
      }
      expect(others.filter((status) => status !== 200)).toEqual([])
    },
    60_000,
  )
})
