/** Events of a tenant's repository that the forge signs, and unsigned ones at the hooks of others. */
import type { Attack } from '../attack.ts'
import { send } from '../send.ts'
import { flood } from '../tally.ts'
import { attackerAddress, inTurn } from '../target.ts'
import { sendEvent } from './sign.ts'

export const eventFloods: Attack = {
  name: 'floods of events of a forge',
  prepare: (target) => (signal) =>
    flood({ atOnce: 12, pauseMs: 20, signal }, async (index) => {
      if (index % 3 > 0) {
        const event = { event: 'issue_comment', payload: { action: 'created', number: index } }
        return `${await sendEvent(target, { hook: target.ownHook, ...event, signal })} signed`
      }
      const { path } = inTurn(target.others, index)
      const headers = { 'content-type': 'application/json', 'x-github-event': 'push' }
      const place = { port: inTurn(target.apiPorts, index), from: attackerAddress(0) }
      return `${(await send({ ...place, path, headers, body: '{}', signal })).status} unsigned`
    }),
}
