/** Guesses of passwords, codes, keys and links, from many addresses. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { send } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const json = { 'content-type': 'application/json' }

export const guesses: Attack = {
  name: 'guesses of passwords, codes and keys',
  prepare({ apiPorts, edges, others, balancerPort }) {
    const origin = `http://127.0.0.1:${balancerPort}`
    const random = () => randomBytes(24).toString('base64url')
    const code = () => String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')
    const kinds = [
      () => ({
        path: '/auth/sign-in/email',
        headers: { ...json, origin },
        body: JSON.stringify({ email: 'ada@example.com', password: random() }),
      }),
      () => ({
        path: '/auth/sign-in/second-factor',
        headers: { ...json, origin, cookie: `svc.second_factor=${random()}` },
        body: JSON.stringify({ code: code() }),
      }),
      () => ({ path: '/v1/projects', method: 'GET', headers: { authorization: `Bearer svc_${random()}` } }),
      () => ({ path: `/auth/link?token=${random()}`, method: 'GET' }),
      () => ({ path: `/hooks/deploy/svch_${random()}` }),
    ]
    return (signal) =>
      flood({ atOnce: 30, pauseMs: 20, signal }, async (index) => {
        const from = attackerAddress(index)
        if (index % 6 === 0) {
          const { host } = inTurn(others, index)
          const path = `/?x-svc-share=${random()}`
          const { port } = inTurn(edges, index)
          return String((await send({ port, from, path, method: 'GET', headers: { host }, signal })).status)
        }
        const guess = inTurn(kinds, index)()
        return String((await send({ port: inTurn(apiPorts, index), from, ...guess, signal })).status)
      })
  },
}
