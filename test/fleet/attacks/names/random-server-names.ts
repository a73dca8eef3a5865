/** Handshakes of TLS for names at random. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { openTls } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

export const randomServerNames: Attack = {
  name: 'TLS for random names',
  prepare:
    ({ edges, sitesDomain }) =>
    (signal) =>
      flood({ atOnce: 8, pauseMs: 20, signal }, async (index) => {
        const label = randomBytes(8).toString('hex')
        const name = index % 2 === 0 ? `${label}.example.net` : `${label}.${sitesDomain.split(':')[0]}`
        const { tlsPort } = inTurn(edges, index)
        const socket = await openTls(tlsPort, { name, from: attackerAddress(index), signal }).catch(
          () => undefined,
        )
        socket?.destroy()
        return socket ? 'served' : 'refused'
      }),
}
