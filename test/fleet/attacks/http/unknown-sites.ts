/** Requests for sites, files and things that are not there, from a few addresses. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { send } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const addresses = 4

export const unknownSites: Attack = {
  name: 'requests for unknown sites',
  prepare:
    ({ edges, sitesDomain, large }) =>
    (signal) =>
      flood({ atOnce: 30, pauseMs: 10, signal }, async (index) => {
        const random = randomBytes(8).toString('hex')
        const isKnown = index % 2 === 0
        const request = isKnown
          ? { path: `/${random}`, headers: { host: large.host } }
          : { path: '/', headers: { host: `${random}.${sitesDomain}` } }
        const place = { port: inTurn(edges, index).port, from: attackerAddress(index % addresses) }
        return String((await send({ ...place, ...request, method: 'GET', signal })).status)
      }),
}
