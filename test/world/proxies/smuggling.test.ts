/**
 * Ambiguous requests of one client, through each proxy: no other client gets an answer to a part of them, or
 * a reset.
 * @module-tag long
 */
import { connect as connectPlain } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type NodePair, startNodePair } from '../../support/node-pair.ts'
import { postgresUrl } from '../../support/postgres.ts'
import { apiHost, sitesHost } from '../../support/proxies/proxy.ts'
import { publishSite } from '../../support/proxies/publish-site.ts'
import { forms } from './ambiguous.ts'
import { type Canaries, pages, startCanaries } from './canaries.ts'
import { type Door, directDoor, openDoor, proxies } from './doors.ts'

const server = await postgresUrl()

/** How long the attacker waits for answers, which not all get. */
const waitMs = 100

const doors: { name: string; open: (pair: NodePair) => Promise<Door> }[] = [
  ...proxies.map(({ name, start }) => ({
    name: `behind ${name}`,
    open: (pair: NodePair) => openDoor(start, pair),
  })),
  { name: 'without a proxy', open: async (pair) => directDoor(pair) },
]

describe.runIf(server)('ambiguous requests', () => {
  let pair: NodePair
  let door: Door
  let canaries: Canaries

  beforeAll(async () => {
    pair = await startNodePair(server ?? '', sitesHost)
    await publishSite(pair, [...pages, 'hidden'])
  })

  afterAll(() => pair.close())

  afterEach(async () => {
    canaries.close()
    await door.close()
  })

  /** Where they are sent; their hidden request would be answered with other words than a canary's. */
  function targets() {
    const site = `web.${sitesHost}`
    const key = `Authorization: Bearer ${pair.key}`
    const json = 'Content-Type: application/json'
    return [
      { line: 'POST /v1/deployments', host: apiHost, fields: [json], hidden: '/v1/hidden' },
      { line: 'PUT /v1/projects/web', host: apiHost, fields: [json, key], hidden: '/v1/hidden' },
      { line: 'PUT /uploads/x', host: apiHost, fields: [], hidden: '/v1/hidden' },
      { line: 'POST /', host: site, fields: [], hidden: '/hidden' },
      { line: 'GET /', host: site, fields: [], hidden: '/hidden' },
    ]
  }

  it.each(doors)(
    '$name',
    async ({ open }) => {
      door = await open(pair)
      canaries = startCanaries(door)
      const wrong: string[] = []
      expect(await canaries.ask()).toEqual([])
      for (const [name, form] of Object.entries(forms)) {
        const sending = targets().map(({ line, host, fields, hidden }) => {
          const inner = `GET ${hidden} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
          return sendOnce(door, host, form(line, [`Host: ${host}`, ...fields], inner))
        })
        // While they wait, and afterwards.
        const [during] = await Promise.all([canaries.ask(), ...sending])
        wrong.push(...[...during, ...(await canaries.ask())].map((each) => `${name}: ${each}`))
      }
      expect(wrong).toEqual([])
    },
    120_000,
  )
})

/** Sends `bytes` on a connection of its own, and gives it up after a while. */
async function sendOnce(door: Door, host: string, bytes: string): Promise<void> {
  const place = door.placeOf(host)
  const socket =
    place.ca === undefined
      ? connectPlain(place)
      : connectTls({ ...place, servername: host, ALPNProtocols: ['http/1.1'] })
  // Some are reset, as they should be.
  socket.on('error', () => {}).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes, 'latin1')
  await Promise.race([closed, sleep(waitMs)])
  socket.destroy()
  await closed
}
