/** Ten thousand requests in one write. */
import type { Attack } from '../attack.ts'
import { open, untilClosed } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const requests = 10_000
const stayMs = 5_000

export const pipelinedRequests: Attack = {
  name: 'pipelined requests',
  prepare({ apiPorts, edges, large }) {
    const ports = [...edges.map(({ port }) => port), ...apiPorts]
    const bytes = Buffer.from(`GET ${large.path} HTTP/1.1\r\nHost: ${large.host}\r\n\r\n`.repeat(requests))
    return (signal) =>
      flood({ atOnce: 20, pauseMs: 500, signal }, async (index) => {
        const socket = await open(inTurn(ports, index), attackerAddress(index), signal)
        if (index % 2 === 0) socket.pause()
        else socket.resume()
        socket.write(bytes)
        await untilClosed(socket, stayMs, signal)
        const outcome = socket.destroyed ? 'ended' : 'borne'
        socket.destroy()
        return outcome
      })
  },
}
