/** Calls with a key whose bodies come at a byte a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { begin, jsonHeaders } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const claimedBytes = 5 * 1024 * 1024

export const slowBodies: Attack = {
  name: 'bodies of a byte a second',
  prepare:
    ({ apiPorts, teams }) =>
    (signal) =>
      flood({ atOnce: 200, pauseMs: 200, signal }, async (index) => {
        const { key } = inTurn(teams, index)
        const headers = { ...jsonHeaders(key), 'content-length': String(claimedBytes) }
        const place = { port: inTurn(apiPorts, index), from: attackerAddress(index) }
        const sent = begin({ ...place, path: '/v1/deployments', headers, signal })
        let outcome = 'closed'
        sent.once('response', ({ statusCode }) => {
          outcome = String(statusCode)
          sent.destroy()
        })
        sent.write('{')
        while (!sent.destroyed) {
          await sleep(1_000, undefined, { signal })
          sent.write(' ')
        }
        return outcome
      }),
}
