/** How single operations are brought to refuse for the reasons that are their own. */
import { eq, sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { teams } from '../../../src/db/schema/teams.ts'
import { startOwnNode } from '../../db/own-node.ts'
import { byDigest, insertDeployment } from '../../deployments/steps.ts'
import { claim } from '../../support/claims.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { unique } from '../../support/node.ts'
import { joinNewTeam } from '../../support/session.ts'
import { addMember, newTeam } from '../../support/team.ts'
import { newFixture, type ProcedureName } from '../every-procedure.ts'
import { type Asked, askedOf, made, type Refusal, type Ways } from './ways.ts'

/** The zone is that of a domain above the one in the path. */
async function inZoneOf({ node, own, ask }: Asked): Promise<Refusal> {
  const below = `sub.${own.domain.domain}`
  await claim(node, own.team, below)
  return ask({ domain: below })
}

/** What the service itself writes in the zone of a proven domain. */
async function onManaged({ node, own, ask }: Asked): Promise<Refusal> {
  const domain = `${unique('proven')}.com`
  await claim(node, own.team, domain, { proven: true })
  const { data } = await made(own.team, 'GET', `/v1/domains/${domain}/records`)
  return ask({ domain, record: data[0].id })
}

async function personal({ node, own, ask }: Asked, changes = {}): Promise<Refusal> {
  await node.installation.store.db.update(teams).set({ personal: true }).where(eq(teams.id, own.team.id))
  return ask(changes)
}

/** The node stops while the resolvers, which give no answer, are asked. */
async function whileItStops({ name }: Asked): Promise<Refusal> {
  const dns = await startDnsServer()
  dns.failWith('hang')
  const node = await startOwnNode({ SVC_RESOLVERS: dns.address })
  try {
    const { ask } = askedOf(node, name, await newFixture(node))
    const asked = ask()
    await vi.waitFor(() => expect(dns.asked).not.toEqual([]))
    await node.stop()
    return await asked
  } finally {
    await dns.close()
  }
}

export const ownRefusals: Partial<Record<ProcedureName, Ways>> = {
  'deployments.create': {
    too_many_queued: async ({ node, own, ask }) => {
      await node.installation.store.db.execute(sql`
        insert into deployments select (jsonb_populate_record(deployments, jsonb_build_object(
          'id', 'dpl_' || md5(id || n), 'state', 'queued'))).*
        from deployments, generate_series(1, 100) as n where id = ${own.deployment.id}`)
      return ask({ build: { build_command: 'true' } })
    },
    files_missing: ({ ask }) => ask({ files: [byDigest('index.html', unique('text'))] }),
  },
  'deployments.promote': {
    not_ready: async ({ node, own, ask }) =>
      ask({ deployment: await insertDeployment(node, own.team, { state: 'error' }) }),
  },
  'deployments.delete': {
    is_live: async ({ own, ask }) => {
      await made(own.team, 'POST', `/v1/deployments/${own.deployment.id}/promote`)
      return ask()
    },
  },
  'projects.put': {
    role_required: async ({ node, own, ask }) =>
      ask({ protection: 'all' }, { token: (await addMember(node, own.team)).key }),
    name_in_use: async ({ own, ask }) => {
      const name = unique('other')
      await made(own.team, 'PUT', `/v1/projects/${name}`)
      return ask({ name })
    },
  },
  'domains.verify': {
    stopping: whileItStops,
  },
  'domains.put': {
    name_in_use: async ({ node, ask }) => {
      const domain = `${unique('taken')}.com`
      await claim(node, await newTeam(node), domain, { proven: true })
      return ask({ domain })
    },
  },
  'dns.create': {
    in_zone_of: inZoneOf,
    record_conflict: async ({ own, input: { domain: _domain, ...record }, ask }) => {
      await made(own.team, 'POST', `/v1/domains/${own.domain.domain}/records`, record)
      return ask()
    },
    too_many_records: async ({ node, own, ask }) => {
      await node.installation.store.db.execute(sql`
        insert into records (id, team_id, domain_id, fqdn, reversed, type, value, ttl, created_ms, updated_ms)
        select 'rec_' || md5(${own.record.id} || n), team_id, domain_id, 'r' || n || '.' || fqdn, reversed || '.r' || n,
          type, value, ttl, created_ms, updated_ms
        from records, generate_series(1, 10000) as n where records.id = ${own.record.id}`)
      return ask()
    },
  },
  'dns.put': {
    in_zone_of: inZoneOf,
    record_conflict: onManaged,
    too_many_records: async ({ own, ask }) => {
      const texts = { name: 'texts', type: 'TXT', value: 'x'.repeat(60_000) }
      await made(own.team, 'POST', `/v1/domains/${own.domain.domain}/records`, texts)
      return ask({ value: 'y'.repeat(60_000) })
    },
  },
  'dns.delete': {
    in_zone_of: inZoneOf,
    record_conflict: onManaged,
  },
  'webhooks.create': {
    project_not_found: ({ ask }) => ask({ projects: [unique('nobodys')] }),
    too_many_webhooks: async ({ node, own, ask }) => {
      await node.installation.store.db.execute(sql`
        insert into webhooks select (jsonb_populate_record(webhooks, jsonb_build_object(
          'id', 'hook_' || md5(id || n)))).* from webhooks, generate_series(1, 49) as n where id = ${own.webhook.id}`)
      return ask()
    },
  },
  'teams.put': {
    name_in_use: async ({ node, ask }) => ask({ team: (await newTeam(node)).slug }),
    too_many_teams: async ({ node, own, ask }) => {
      for (let owned = 1; owned < 20; owned += 1) await joinNewTeam(node, own.team.ownerId)
      return ask({ team: unique('one-more') })
    },
    changed_since: ({ ask }) => ask({ updated_ms: 1 }),
    owner_required: ({ ask }) => ask({ members: [{ email: null, role: 'member' }] }),
    personal_team: (asked) =>
      personal(asked, {
        members: [
          { email: null, role: 'owner' },
          { email: 'ada@example.com', role: 'owner' },
        ],
      }),
  },
  'teams.delete': {
    personal_team: personal,
    team_has_projects: ({ ask }) => ask(),
  },
  'tokens.createKey': {
    role_required: async ({ node, own, ask }) =>
      ask({ role: 'owner' }, { token: (await addMember(node, own.team)).key }),
  },
  'tokens.mint': {
    // Without a secret nothing is minted.
    jwt_not_configured: ({ ask }) => ask(),
  },
  'observability.logs': {
    too_many_waiting: async ({ ask }) => {
      const wait = () => ask({ kind: 'build', order: 'asc', wait_s: 1 })
      const answers = await Promise.all(Array.from({ length: 21 }, wait))
      return answers.find(({ status }) => status !== 200) ?? expect.unreachable('All may wait.')
    },
  },
}
