/** Looks domains up, within a time limit, and distinguishes missing records from failures. */
import { Resolver } from 'node:dns/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { createReach, type Reach } from '../../../lib/net/lookup-scope.ts'
import { type DnsAnswer, type LookUp, proofNameOf, type QuestionType, valuesOf } from './look-up.ts'

export type DomainResolver = {
  /**
   * Looks up everything about a domain; concurrent calls for one domain share the answers.
   * @throws AppError `stopping` when the node stops.
   */
  lookUp(domain: string): Promise<LookUp>
}

type Options = {
  /** Addresses, with a port if it isn't 53; default: the system's resolvers. */
  servers: string[] | undefined
  /** The edge's host name. */
  cname: string | undefined
  /** Which of a domain's addresses may be revealed, besides those of `cname`. */
  reach?: Reach
  nowMs: () => number
  stopping: AbortSignal
  /** The timeout of all lookups of a domain together. */
  timeLimitMs?: number
}

const tryLimitMs = 1_500
const tries = 3

/** Each uses a socket. */
const maxLookUps = 200

const onlyPublic = createReach({ own: [], resolvePrivate: false })

/** Negative answers: for the name (RFC 8020), or only the type (RFC 2308). */
const absences = new Set(['ENOTFOUND', 'ENODATA'])

const failureSchema = z.object({ code: z.string(), syscall: z.string().startsWith('query') })

export function createDomainResolver(options: Options): DomainResolver {
  const { stopping } = options
  const resolvers = new Set<Resolver>()
  stopping.addEventListener('abort', () => {
    for (const resolver of resolvers) resolver.cancel()
  })
  const underWay = new Map<string, Promise<LookUp>>()
  const limit = pLimit(maxLookUps)
  return {
    lookUp(domain) {
      const known = underWay.get(domain)
      if (known) return known
      const lookUp = limit(() => ask(domain, options, resolvers)).finally(() => underWay.delete(domain))
      underWay.set(domain, lookUp)
      return lookUp
    },
  }
}

async function ask(
  domain: string,
  { servers, cname, reach = onlyPublic, nowMs, stopping, timeLimitMs = 5_000 }: Options,
  resolvers: Set<Resolver>,
): Promise<LookUp> {
  if (stopping.aborted) throw stopped()
  // One per domain, since cancelling applies to all its queries.
  const resolver = new Resolver({ timeout: tryLimitMs, tries })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeLimitMs)
  resolvers.add(resolver)
  try {
    const addressesOf = (name: string) => Promise.all([answer('A', name), answer('AAAA', name)])
    const [lookedUpMs, proofName] = [nowMs(), proofNameOf(domain)]
    const [proof, proofAlias, alias, addresses, targetAddresses] = await Promise.all([
      answer('TXT', proofName),
      answer('CNAME', proofName),
      answer('CNAME', domain),
      addressesOf(domain),
      cname === undefined ? [] : addressesOf(cname),
    ])
    if (stopping.aborted) throw stopped()
    const targets = new Set(targetAddresses.flatMap(valuesOf))
    const isTarget = (address: string) => targets.has(address) || reach.address(address)
    const visible = addresses.map((each) => withoutHidden(each, isTarget))
    return { lookedUpMs, proof, proofAlias, alias, addresses: visible, targetAddresses }
  } finally {
    clearTimeout(timer)
    resolvers.delete(resolver)
  }

  async function answer(type: QuestionType, name: string): Promise<DnsAnswer> {
    try {
      return { type, name, values: await valuesAt(resolver, type, name) }
    } catch (error) {
      const failure = failureSchema.safeParse(error)
      if (!failure.success) throw error
      const { code } = failure.data
      return absences.has(code) ? { type, name, values: [] } : { type, name, failure: code }
    }
  }
}

function withoutHidden(answer: DnsAnswer, isTarget: (address: string) => boolean): DnsAnswer {
  if ('failure' in answer || answer.values.every(isTarget)) return answer
  return { ...answer, values: answer.values.filter(isTarget), hidden: true }
}

async function valuesAt(resolver: Resolver, type: QuestionType, name: string): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name)
    case 'AAAA':
      return resolver.resolve6(name)
    case 'CNAME':
      return resolver.resolveCname(name)
    case 'TXT':
      // One value may consist of several strings of up to 255 bytes (RFC 1035, section 3.3.14).
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''))
  }
}

function stopped(): AppError {
  return new AppError('stopping', 'This node is stopping. Try again.')
}
