/** Passes what visitors of a site send on: to the servers of its rules, or to its own. */
import { mayTakeLong } from '../../../lib/net/late-bodies.ts'
import type { Exchange } from '../observed-exchange.ts'
import { needsBody } from '../wire/client-error.ts'
import { hasBody } from './has-body.ts'
import type { OpenExchanges } from './open-exchanges.ts'
import type { Passed } from './passed.ts'
import { createPassToOrigin } from './to-origin.ts'
import { createPassToServer } from './to-server.ts'
import { cutAnswer } from './write-answer.ts'

type Deps = Parameters<typeof createPassToOrigin>[0] &
  Parameters<typeof createPassToServer>[0] & { open: OpenExchanges }

export type Forward = {
  /** Resolves when the exchange has ended; the visitor has got an answer, or has left. */
  pass(exchange: Exchange, passed: Passed): Promise<void>
}

/** Passes requests on for all sites of a process. */
export function createForward(deps: Deps): Forward {
  const toOrigin = createPassToOrigin(deps)
  const toServer = createPassToServer(deps)
  return {
    async pass(exchange, passed) {
      const { res } = exchange
      const { to, visit, request, address, upgrade } = passed
      mayTakeLong(res.req)
      if (hasBody(res.req)) needsBody(res)
      const left = new AbortController()
      // Most close with a whole answer, when nobody waits any more for what an abort would end.
      res.once('close', () => {
        if (!res.writableFinished) left.abort()
      })
      const forget = deps.open.add({
        request,
        visitor: { req: res.req, address: () => address, wasProtected: visit.site.isProtected },
        end() {
          cutAnswer(res)
          upgrade?.socket.destroy()
        },
      })
      try {
        await (to.kind === 'server'
          ? toServer(exchange, passed, left.signal)
          : toOrigin(exchange, { ...passed, to }, left.signal))
      } finally {
        forget()
      }
    },
  }
}
