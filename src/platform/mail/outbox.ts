/**
 * Mails on their way, in memory: a bounded queue that is worked off beside the requests. What is lost with
 * the process is requested again by people.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import { within } from '../../lib/async/within.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { type Mail, type SmtpRoute, sendMail } from './smtp.ts'

const maxAtOnce = 4
const maxWaiting = 500
const graceMs = 2_000

/** Finds out what there is to send, and sends it. */
type Errand = (send: (mail: Mail) => Promise<void>) => Promise<void>

export type Outbox = {
  /**
   * Runs it later, never while the caller runs, and after what was added before for the same mailbox, so that
   * the newest mail arrives last. Drops it, with a line in the log, if too many wait.
   */
  add(mailbox: string, errand: Errand): void
  /** Takes nothing more, and gives up what hasn't been sent after two seconds. */
  close(): Promise<void>
}

export function createOutbox(route: SmtpRoute, log: Logger): Outbox {
  const limit = pLimit(maxAtOnce)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const lastOf = new Map<string, Promise<void>>()
  let isClosed = false

  const send = (mail: Mail) => sendMail(route, mail, closing.signal)

  async function run(errand: Errand, before: Promise<void> | undefined): Promise<void> {
    await nextTurn()
    await before
    if (closing.signal.aborted) return
    try {
      await errand(send)
    } catch (error) {
      log.warn(failureSchema.parse(error), 'A mail was not sent.')
    }
  }

  return {
    add(mailbox, errand) {
      if (isClosed || limit.pendingCount >= maxWaiting) {
        log.warn('A mail was dropped, because too many are waiting or the node stops.')
        return
      }
      const work = limit(run, errand, lastOf.get(mailbox))
      running.add(work)
      lastOf.set(mailbox, work)
      work.finally(() => {
        running.delete(work)
        if (lastOf.get(mailbox) === work) lastOf.delete(mailbox)
      })
    },
    async close() {
      isClosed = true
      const allDone = Promise.all(running)
      await within(graceMs, allDone, () => closing.abort())
      await allDone
    },
  }
}

/** The parts of a failure that may be logged: its texts can contain the address, and queries the link. */
const failureSchema = z
  .object({
    name: z.string().optional().catch(undefined),
    code: z.string().optional().catch(undefined),
    responseCode: z.number().optional().catch(undefined),
    command: z
      .string()
      .regex(/^[A-Z ]{1,20}$/)
      .optional()
      .catch(undefined),
  })
  .catch({})
