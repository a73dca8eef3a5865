/** ALIAS: answers with the addresses of another name. */
import { registrableOf } from '../../../lib/names/domain-name.ts'
import type { Family } from '../zones/zone.ts'
import { answer } from './answer.ts'
import type { AliasQuestion, Reply } from './reply.ts'
import type { Addresses, Resolve } from './resolve.ts'

/** The longest chain of aliases within our zones; more are a loop. */
const maxSteps = 8

type Options = {
  family: (registrable: string) => Promise<Family | undefined>
  resolve: Resolve['resolve']
}

/** The reply with the addresses of its ALIAS. Rejects when they can't be resolved. */
export async function withAddresses(reply: Reply, alias: AliasQuestion, options: Options): Promise<Reply> {
  const { values, ttl } = await addressesOf(alias.target, alias.type, options, maxSteps)
  // Without addresses the negative answer of the zone stays.
  if (values.length === 0) return reply
  const set = {
    type: alias.type,
    ttl: Math.min(alias.ttl, ttl),
    values: values.map((value) => ({ value, strings: null, priority: null, weight: null, port: null })),
  }
  return { ...reply, answer: [...reply.answer, { name: alias.name, set }], authority: [] }
}

async function addressesOf(name: string, type: number, options: Options, steps: number): Promise<Addresses> {
  if (steps === 0) throw new Error('The alias is a loop.')
  return (await ownAddresses(name, type, options, steps)) ?? options.resolve(name, type)
}

/** From memory; undefined if it is not one of our zones, whose owner may have its records elsewhere. */
async function ownAddresses(
  name: string,
  type: number,
  options: Options,
  steps: number,
): Promise<Addresses | undefined> {
  const registrable = registrableOf(name)
  const family = registrable === undefined ? undefined : await options.family(registrable)
  if (!family) return undefined
  const reply = answer(family, name, type)
  if (reply.alias) {
    const { values, ttl } = await addressesOf(reply.alias.target, type, options, steps - 1)
    return { values, ttl: Math.min(ttl, reply.alias.ttl) }
  }
  const last = reply.answer.at(-1)?.set
  if (!last) return undefined
  const chainTtl = Math.min(...reply.answer.map(({ set }) => set.ttl))
  const next = last.type === type ? undefined : last.values[0]?.value
  if (next === undefined) return { values: last.values.map(({ value }) => value), ttl: chainTtl }
  const { values, ttl } = await addressesOf(next, type, options, steps - 1)
  return { values, ttl: Math.min(ttl, chainTtl) }
}
