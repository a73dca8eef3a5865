/** A thousand connections of TCP with the name server, which ask for little, slowly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { framed, query } from '../../../roles/nameserver/client.ts'
import type { Attack } from '../attack.ts'
import { open } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

export const nameConnections: Attack = {
  name: 'idle connections of DNS',
  prepare:
    ({ dnsPort, others }) =>
    (signal) =>
      flood({ atOnce: 1_000, pauseMs: 500, signal }, async (index) => {
        const socket = await open(dnsPort, attackerAddress(index), signal)
        const bytes = framed(query(inTurn(others, index).zone, 'AXFR'))
        socket.resume()
        for (let at = 0; !socket.destroyed && at < bytes.length; at += 1) {
          socket.write(bytes.subarray(at, at + 1))
          await sleep(1_000, undefined, { signal })
        }
        const outcome = socket.destroyed ? 'ended' : 'borne'
        socket.destroy()
        return outcome
      }),
}
