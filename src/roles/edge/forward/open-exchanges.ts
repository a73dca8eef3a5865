/** Exchanges that last for longer than a moment, and end with the visitor's right to the site. */
import type { Visits } from '../admit-request.ts'
import type { ReadRequest } from '../wire/read-request.ts'

type OpenExchange = {
  request: ReadRequest
  visitor: Parameters<Visits['goesOn']>[1]
  /** Ends it at once. */
  end(): void
}

export type OpenExchanges = {
  /** Returns the function that forgets it. */
  add(exchange: OpenExchange): () => void
}

/**
 * Short, so that, with sites that are read anew within 900 ms where no notification comes, a visitor whose
 * right ends is out within a second.
 */
const checkMs = 300

/** Exchanges that are looked at while there are any; each is ended once `goesOn` says so. */
export function createOpenExchanges({ goesOn }: Pick<Visits, 'goesOn'>): OpenExchanges {
  const open = new Set<OpenExchange>()
  let timer: NodeJS.Timeout | undefined

  function stopWhenNone(): void {
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function check(exchange: OpenExchange): Promise<void> {
    // While a store is unavailable, nobody's right ends.
    const mayGoOn = await goesOn(exchange.request, exchange.visitor).catch(() => true)
    if (!mayGoOn && open.delete(exchange)) exchange.end()
  }

  return {
    add(exchange) {
      open.add(exchange)
      timer ??= setInterval(() => {
        for (const each of open) check(each)
        stopWhenNone()
      }, checkMs).unref()
      return () => open.delete(exchange)
    },
  }
}
