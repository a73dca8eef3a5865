/** Texts of megabytes of combining marks, out of their order, where names and other texts are taken. */
import type { Attack } from '../attack.ts'
import { jsonHeaders, send } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'

const textBytes = 4 * 1024 * 1024

export const endlessTexts: Attack = {
  name: 'texts of combining marks',
  prepare({ apiPorts, teams }) {
    // Marks above and below in turns: the normal form has to sort them.
    const text = `a${'\u0301\u0323'.repeat(textBytes / 4)}`
    const digest = '0'.repeat(64)
    const calls = [
      ['POST', '/v1/apikeys', { name: text }],
      ['PUT', '/v1/teams/mallory-1', { name: text }],
      ['PUT', '/v1/projects/texts', { name: text }],
      ['PUT', '/v1/projects/texts', { git: { production_branch: text } }],
      ['POST', '/v1/deployments', { project: 'texts', files: [{ path: text, sha256: digest, size: 1 }] }],
      ['POST', '/v1/deployments', { project: 'texts', meta: { message: text }, files: [] }],
      ['POST', '/v1/webhooks', { url: `https://example.com/${text}`, events: [text] }],
      ['POST', '/auth/sign-in/email', { email: `${text}@example.com`, password: text }],
    ] as const
    const bodies = calls.map(([method, path, body]) => ({ method, path, body: JSON.stringify(body) }))
    return (signal) =>
      flood({ atOnce: 4, pauseMs: 100, signal }, async (index) => {
        const { key } = inTurn(teams, index)
        const call = inTurn(bodies, index)
        const place = { port: inTurn(apiPorts, index), from: attackerAddress(index) }
        const { status } = await send({ ...place, ...call, headers: jsonHeaders(key), signal })
        return String(status)
      })
  },
}
