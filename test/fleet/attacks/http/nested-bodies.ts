/** Bodies of a hundred thousand levels, and of a million items, plain and by gzip. */
import { gzipSync } from 'node:zlib'
import type { Attack } from '../attack.ts'
import { jsonHeaders, send } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const mebibyte = 1024 * 1024

export const nestedBodies: Attack = {
  name: 'nested and inflated bodies',
  prepare({ apiPorts, teams }) {
    const plain = [
      `{"project":"deep","files":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      `{"project":"wide","files":[${'{},'.repeat(1_000_000)}{}]}`,
      `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":0`).join()}}`,
      `{"project":"escaped","meta":{"message":"${'\\u0301'.repeat(mebibyte)}"}}`,
    ]
    const inflated = [
      gzipSync(Buffer.alloc(200 * mebibyte, ' ')),
      gzipSync(Buffer.alloc(200 * mebibyte, '[')),
    ]
    const bodies = [
      ...plain.map((body) => ({ body: Buffer.from(body), headers: {} })),
      ...inflated.map((body) => ({ body, headers: { 'content-encoding': 'gzip' } })),
    ]
    return (signal) =>
      flood({ atOnce: 6, pauseMs: 50, signal }, async (index) => {
        const { key } = inTurn(teams, index)
        const { body, headers } = inTurn(bodies, index)
        const place = { port: inTurn(apiPorts, index), from: attackerAddress(index) }
        const all = { ...jsonHeaders(key), ...headers }
        const { status } = await send({ ...place, path: '/v1/deployments', headers: all, body, signal })
        return String(status)
      })
  },
}
