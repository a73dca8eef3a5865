/**
 * Whatever a client sends, a proxy goes on sending others' requests to both nodes; and to the other one, when
 * one dies.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type NodePair, startNodePair } from '../../support/node-pair.ts'
import { postgresUrl } from '../../support/postgres.ts'
import { openProxy, type RunningProxy, sitesHost } from '../../support/proxies/proxy.ts'
import { publishSite } from '../../support/proxies/publish-site.ts'
import { attack, attacks } from './attacks.ts'
import { proxies } from './doors.ts'
import { isRight, type Seen, visitUntil } from './visitor.ts'

const server = await postgresUrl()

describe.runIf(server).each(proxies)('behind $name', ({ start }) => {
  let pair: NodePair
  let proxy: RunningProxy

  beforeEach(async () => {
    pair = await startNodePair(server ?? '', sitesHost)
    await publishSite(pair)
    proxy = await openProxy(start, pair)
  })

  afterEach(async () => {
    await proxy.close()
    await pair.close()
  })

  it('others are served while clients make exchanges with nodes fail, and a node is killed', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const underAttack: Seen[] = []
    // Those who wait until a node is tried again see a handful each time; a busy machine takes two rounds.
    for (let round = 0; round < 3 && underAttack.length <= 40; round += 1)
      underAttack.push(...(await visitUntil(proxy, attack(proxy, Object.values(attacks), 6_000))))
    expect(underAttack.filter((seen) => !isRight(seen))).toEqual([])
    expect(underAttack.length).toBeGreaterThan(40)
    const oneLeft = await visitUntil(
      proxy,
      pair.nodes[1].end('SIGKILL').then(() => attack(proxy, [], 3_000)),
    )
    expect(oneLeft.filter((seen) => !isRight(seen))).toEqual([])
  })
})
