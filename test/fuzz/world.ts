/** The calling teams of a run: one that stays, and ones that their own calls may delete. */
import type { DnsServer } from '../support/dns-server.ts'
import type { TestNode } from '../support/node.ts'
import { newSession } from '../support/session.ts'
import { addMember, newTeam } from '../support/team.ts'
import { authorizationOf, type Who } from './callers.ts'
import type { Answer, Client } from './client.ts'
import { createPool, type Kind, kinds, type Pool } from './references.ts'
import type { Victim } from './victim.ts'

export type World = {
  pool: Pool
  authorization(who: Who): string | undefined
  /** Records the resources in a response, and deletes those beyond the limit. */
  learn(operation: string, answer: Answer): Promise<void>
}

/** How many of each kind a team keeps while it is called, and the path below which the oldest are deleted. */
const kept: Partial<Record<Kind, { most: number; path?: string }>> = {
  deployment: { most: 40, path: '/v1/deployments' },
  record: { most: 60 },
  webhook: { most: 3, path: '/v1/webhooks' },
  key: { most: 30, path: '/v1/apikeys' },
  cursor: { most: 30 },
  delivery: { most: 30 },
}

/**
 * Without the checks of every response that other tests have, which would take longer than everything else.
 */
export async function jwtOf(client: Client, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const { body } = await client.send({ method: 'POST', path: '/v1/token', headers, body: undefined })
  return String(Object(body).token)
}

/** The team that is called; the resources that its calls refer to come and go. */
export async function newWorld(
  node: TestNode,
  client: Client,
  dns: DnsServer,
  victim: Victim,
  stranger: string,
): Promise<World> {
  const team = await newTeam(node)
  const memberKey = (await addMember(node, team)).key
  const [owner, member] = await Promise.all([jwtOf(client, team.ownerKey), jwtOf(client, memberKey)])
  const session = await newSession(node, team.ownerId)
  const tokens = {
    owner,
    member,
    key: team.ownerKey,
    memberKey,
    session: session.token,
    stranger,
  }
  const pool = createPool()
  pool.add('team', team.id, team.slug)
  for (const [kind, reference] of victim.references) pool.addForeign(kind, reference)

  const headers = { authorization: `Bearer ${owner}` }
  async function trim(): Promise<void> {
    for (const kind of kinds) {
      const { most = Number.POSITIVE_INFINITY, path } = kept[kind] ?? {}
      for (const id of pool.surplus(kind, most)) {
        if (path) await client.send({ method: 'DELETE', path: `${path}/${id}`, headers, body: undefined })
      }
    }
  }

  return {
    pool,
    authorization: (who) => authorizationOf(who, tokens),
    async learn(operation, { status, body }) {
      if (status !== 200 || body === undefined) return
      const resource = Object(body)
      if (typeof resource.next_cursor === 'string') pool.add('cursor', resource.next_cursor)
      switch (operation) {
        case 'projects.put':
          pool.add('project', resource.id, resource.name)
          break
        case 'domains.put':
          pool.add('domain', resource.id, resource.domain)
          // One stays unverified.
          for (const { name, value } of resource.domain === 'fuzzed-c.org' ? [] : resource.verification)
            dns.set(name, 'TXT', [value])
          break
        case 'deployments.create':
          pool.add('deployment', resource.id)
          break
        case 'dns.create':
          pool.addRecord(resource.id, resource.domain)
          break
        case 'webhooks.create':
          pool.add('webhook', resource.id)
          break
        case 'webhooks.get':
          pool.add('delivery', ...resource.deliveries.map(({ id }: { id: string }) => id))
          break
        case 'tokens.createKey':
          pool.add('key', resource.id)
          break
        default:
          if (resource.deleted === true) for (const kind of kinds) pool.remove(kind, resource.id)
      }
      await trim()
    },
  }
}

/** A team whose members its calls may change, and which they may delete: it is replaced once they did. */
export async function newFleetingWorld(
  node: TestNode,
  client: Client,
  victim: Victim,
  stranger: string,
): Promise<World> {
  const pool = createPool()
  for (const [kind, reference] of victim.references) pool.addForeign(kind, reference)
  let tokens: Parameters<typeof authorizationOf>[1]
  async function begin(): Promise<void> {
    const team = await newTeam(node)
    const memberKey = (await addMember(node, team)).key
    const [owner, member] = await Promise.all([jwtOf(client, team.ownerKey), jwtOf(client, memberKey)])
    const session = (await newSession(node, team.ownerId)).token
    tokens = { owner, member, key: team.ownerKey, memberKey, session, stranger }
    pool.surplus('team', 0)
    pool.add('team', team.id, team.slug)
  }
  await begin()
  return {
    pool,
    authorization: (who) => authorizationOf(who, tokens),
    async learn(_operation, { status, body }) {
      if (status === 200 && (Object(body).deleted === true || Object(body).members)) await begin()
    },
  }
}
