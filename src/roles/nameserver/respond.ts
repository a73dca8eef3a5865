/** From a packet to its response: cached ones are copied, others are computed and cached. */
import type { Logger } from '../../lib/log/logger.ts'
import { registrableOf } from '../../lib/names/domain-name.ts'
import type { Reach } from '../../lib/net/lookup-scope.ts'
import type { PlatformZone } from '../../platform/zones/platform-zone.ts'
import type { Store } from '../../stores/db/store.ts'
import { remembering } from './answer/alias-cache.ts'
import { withAddresses } from './answer/aliases.ts'
import { answer } from './answer/answer.ts'
import type { Reply } from './answer/reply.ts'
import { createResolve } from './answer/resolve.ts'
import { createResponseCache } from './response-cache.ts'
import { rcodes } from './wire/codes.ts'
import { answerEmpty, answerTruncated, answerWith, isTooLong } from './wire/encode-response.ts'
import { nameOf, type Question } from './wire/question.ts'
import { createFamilies } from './zones/families.ts'
import type { Family } from './zones/zone.ts'

export type Responder = {
  /** The response of at most `maxBytes`; a promise if something has to be loaded, which never rejects. */
  respond(packet: Buffer, question: Question, maxBytes: number): Buffer | Promise<Buffer>
  stop(): void
}

export type ResponderOptions = {
  store: Store
  /** The zones' name servers. */
  nameservers: string[]
  /** The zone of the sites' domain. */
  platform?: PlatformZone | undefined
  /**
   * The directory of the authority whose account alone may get certificates of its names; undefined: no CAA
   * records.
   */
  caaDirectory?: string | undefined
  /** Resolvers for the targets of ALIAS records; default: the system's. */
  resolvers: string[] | undefined
  /** Which targets and addresses may be revealed; those of `edgeName`, the operator's own, always. */
  reach?: Reach | undefined
  edgeName?: string | undefined
  log: Pick<Logger, 'warn'>
}

/** Questions that may wait for the database or a resolver; more get SERVFAIL. */
const maxWaiting = 5_000

/**
 * Claimed names are in ASCII. Others aren't looked up: for a zero byte the database would refuse the whole
 * round of names.
 */
const inAscii = /^[\x21-\x7e]+$/

/** Limits log lines about records that can't be served, since anybody can query them. */
const complaintsMs = 60_000

/** A question as it came, and how long its answer may be. */
type Query = { packet: Buffer; question: Question; maxBytes: number }

/** Answers questions from the zones of a store, until it is stopped. */
export function createResponder({ log, ...options }: ResponderOptions): Responder {
  const families = createFamilies(options)
  const resolver = createResolve(options)
  const aliasing = {
    family: families.get,
    resolve: remembering(resolver, () => performance.now()),
  }
  const written = createResponseCache()
  let waiting = 0
  let complainedMs = Number.NEGATIVE_INFINITY

  function respond(packet: Buffer, question: Question, maxBytes: number): Buffer | Promise<Buffer> {
    if (question.problem !== undefined) return answerEmpty(packet, question, question.problem)
    const known = written.known(question.key)
    if (known) return answerWith(packet, question, known.encoded, maxBytes)
    const name = nameOf(question.key)
    const registrable = registrableOf(name)
    if (registrable === undefined || !inAscii.test(registrable))
      return answerEmpty(packet, question, rcodes.refused)
    const loaded = families.peek(registrable)
    const query = { packet, question, maxBytes }
    if (loaded) return respondFrom(loaded.family, name, query)
    return wait(packet, question, async () => respondFrom(await families.get(registrable), name, query))
  }

  function respondFrom(
    family: Family | undefined,
    name: string,
    { packet, question, maxBytes }: Query,
  ): Buffer | Promise<Buffer> {
    if (!family) return answerEmpty(packet, question, rcodes.refused)
    const send = (reply: Reply) => {
      if (reply.rcode === rcodes.refused) return answerEmpty(packet, question, rcodes.refused)
      // Truncated UDP responses need no encoding.
      if (isTooLong(reply, question, maxBytes)) {
        return answerTruncated(packet, question, reply.isAuthoritative)
      }
      const encoded = written.write(reply, question, family.validity)
      return answerWith(packet, question, encoded, maxBytes)
    }
    const fail = (error: unknown) => {
      if (performance.now() - complainedMs > complaintsMs) {
        complainedMs = performance.now()
        log.warn({ err: error, name }, 'A DNS question could not be answered.')
      }
      return answerEmpty(packet, question, rcodes.servFail)
    }
    try {
      const reply = answer(family, name, question.type)
      const { alias } = reply
      if (!alias) return send(reply)
      return wait(packet, question, async () => send(await withAddresses(reply, alias, aliasing)))
    } catch (error) {
      return fail(error)
    }
  }

  async function wait(packet: Buffer, question: Question, work: () => Promise<Buffer>): Promise<Buffer> {
    if (waiting >= maxWaiting) return answerEmpty(packet, question, rcodes.servFail)
    waiting += 1
    try {
      return await work()
    } catch {
      return answerEmpty(packet, question, rcodes.servFail)
    } finally {
      waiting -= 1
    }
  }

  return {
    respond,
    stop() {
      families.stop()
      resolver.stop()
    },
  }
}
