/** Ways to make single operations refuse, for the reasons that only they have. */
import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { teams } from '../../../../src/stores/db/schema/teams.ts'
import { byDigest, insertDeployment } from '../../../platform/deployments/steps.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { claim } from '../../../support/claims.ts'
import { startDnsServer } from '../../../support/dns-server.ts'
import { eventually } from '../../../support/eventually.ts'
import { addLimited } from '../../../support/limits.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { joinNewTeam } from '../../../support/session.ts'
import { addMember, newTeam } from '../../../support/team.ts'
import { newFixture, type ProcedureName } from '../every-procedure.ts'
import { contextOf, made, type Refusal, type WayContext, type Ways } from './ways.ts'

/** The zone belongs to a parent of the domain in the path. */
async function inZoneOf({ node, own, call }: WayContext): Promise<Refusal> {
  const below = `sub.${own.domain.domain}`
  await claim(node, own.team, below)
  return call({ domain: below })
}

/** A record that the service itself creates in the zone of a verified domain. */
async function onManaged({ node, own, call }: WayContext): Promise<Refusal> {
  const domain = `${unique('proven')}.com`
  await claim(node, own.team, domain, { proven: true })
  const { data } = await made(own.team, 'GET', `/v1/domains/${domain}/records`)
  return call({ domain, record: data[0].id })
}

async function personal({ node, own, call }: WayContext, changes = {}): Promise<Refusal> {
  await node.installation.store.db.update(teams).set({ personal: true }).where(eq(teams.id, own.team.id))
  return call(changes)
}

/** The node stops while it waits for resolvers that don't answer. */
async function whileItStops({ name }: WayContext): Promise<Refusal> {
  const dns = await startDnsServer()
  dns.failWith('hang')
  const node = await startOwnNode({ SVC_RESOLVERS: dns.address })
  try {
    const { call } = contextOf(node, name, await newFixture(node))
    const context = call()
    await eventually(() => expect(dns.queries).not.toEqual([]))
    await node.stop()
    return await context
  } finally {
    await dns.close()
  }
}

function distrust(node: TestNode, id: string) {
  return node.installation.store.db.update(deployments).set({ untrusted: true }).where(eq(deployments.id, id))
}

export const ownRefusals: Partial<Record<ProcedureName, Ways>> = {
  'deployments.create': {
    too_many_queued: async ({ node, own, call }) => {
      await node.installation.store.db.execute(sql`
        insert into deployments select (jsonb_populate_record(deployments, jsonb_build_object(
          'id', 'dpl_' || md5(id || n), 'state', 'queued'))).*
        from deployments, generate_series(1, 100) as n where id = ${own.deployment.id}`)
      return call({ build: { build_command: 'true' } })
    },
    files_missing: ({ call }) => call({ files: [byDigest('index.html', unique('text'))] }),
    deployment_not_found: ({ call }) => call({ files: undefined, from: unique('dpl') }),
    sources_gone: async ({ node, own, call }) => {
      const build = {
        install_command: null,
        build_command: 'true',
        output_directory: 'dist',
        root_directory: '.',
      }
      const from = await insertDeployment(node, own.team, { state: 'ready', build })
      return call({ project: 'web', files: undefined, from })
    },
    untrusted: async ({ node, own, call }) => {
      await distrust(node, own.deployment.id)
      return call({ files: undefined, from: own.deployment.id })
    },
  },
  'deployments.promote': {
    not_ready: async ({ node, own, call }) =>
      call({ deployment: await insertDeployment(node, own.team, { state: 'error' }) }),
    untrusted: async ({ node, own, call }) => {
      await distrust(node, own.deployment.id)
      return call()
    },
  },
  'deployments.delete': {
    is_live: async ({ own, call }) => {
      await made(own.team, 'POST', `/v1/deployments/${own.deployment.id}/promote`)
      return call()
    },
  },
  'projects.put': {
    role_required: async ({ node, own, call }) =>
      call({ protection: 'all' }, { token: (await addMember(node, own.team)).key }),
    name_in_use: async ({ own, call }) => {
      const name = unique('other')
      await made(own.team, 'PUT', `/v1/projects/${name}`)
      return call({ name })
    },
    no_room: async ({ node, own, call }) => {
      const { id } = await made(own.team, 'PUT', `/v1/projects/${unique('kept')}`)
      const processes = node.settings.SVC_RUNTIME_MAX
      await node.installation.store.db.execute(sql`
        insert into projects select (jsonb_populate_record(projects, jsonb_build_object(
          'id', 'prj_' || md5(id || n), 'name', name || n, 'runtime', '{"min":1,"memory_bytes":0}'::jsonb))).*
        from projects, generate_series(1, ${processes}::int) as n where id = ${id}`)
      return call({ runtime: { min: 1 } })
    },
  },
  'domains.verify': {
    stopping: whileItStops,
  },
  'domains.put': {
    role_required: async ({ node, own, call }) =>
      call({}, { token: (await addLimited(node, own.team, [own.project.id])).key }),
    name_in_use: async ({ node, call }) => {
      const domain = `${unique('taken')}.com`
      await claim(node, await newTeam(node), domain, { proven: true })
      return call({ domain })
    },
  },
  'dns.create': {
    in_zone_of: inZoneOf,
    record_conflict: async ({ own, input: { domain: _domain, ...record }, call }) => {
      await made(own.team, 'POST', `/v1/domains/${own.domain.domain}/records`, record)
      return call()
    },
    too_many_records: async ({ node, own, call }) => {
      await node.installation.store.db.execute(sql`
        insert into records (id, team_id, domain_id, fqdn, reversed, type, value, ttl, created_ms, updated_ms)
        select 'rec_' || md5(${own.record.id} || n), team_id, domain_id, 'r' || n || '.' || fqdn,
          reversed || '.r' || n, type, value, ttl, created_ms, updated_ms
        from records, generate_series(1, 10000) as n where records.id = ${own.record.id}`)
      return call()
    },
  },
  'dns.put': {
    in_zone_of: inZoneOf,
    record_conflict: onManaged,
    too_many_records: async ({ own, call }) => {
      const texts = { name: 'texts', type: 'TXT', value: 'x'.repeat(60_000) }
      await made(own.team, 'POST', `/v1/domains/${own.domain.domain}/records`, texts)
      return call({ value: 'y'.repeat(60_000) })
    },
  },
  'dns.delete': {
    in_zone_of: inZoneOf,
    record_conflict: onManaged,
  },
  'webhooks.create': {
    project_not_found: ({ call }) => call({ projects: [unique('nobodys')] }),
    too_many_webhooks: async ({ node, own, call }) => {
      await node.installation.store.db.execute(sql`
        insert into webhooks select (jsonb_populate_record(webhooks, jsonb_build_object(
          'id', 'hook_' || md5(id || n)))).*
        from webhooks, generate_series(1, 49) as n where id = ${own.webhook.id}`)
      return call()
    },
  },
  'teams.put': {
    name_in_use: async ({ node, call }) => call({ team: (await newTeam(node)).slug }),
    too_many_teams: async ({ node, own, call }) => {
      for (let owned = 1; owned < 20; owned += 1) await joinNewTeam(node, own.team.ownerId)
      return call({ team: unique('one-more') })
    },
    changed_since: ({ call }) => call({ updated_ms: 1 }),
    owner_required: ({ call }) => call({ members: [{ email: null, role: 'member' }] }),
    personal_team: (context) =>
      personal(context, {
        members: [
          { email: null, role: 'owner' },
          { email: 'ada@example.com', role: 'owner' },
        ],
      }),
  },
  'teams.delete': {
    personal_team: personal,
    team_has_projects: ({ call }) => call(),
  },
  'tokens.createKey': {
    role_required: async ({ node, own, call }) =>
      call({ role: 'owner' }, { token: (await addMember(node, own.team)).key }),
  },
  'tokens.mint': {
    // Without a secret no JWT is minted.
    jwt_not_configured: ({ call }) => call(),
  },
  'observability.logs': {
    too_many_waiting: async ({ call }) => {
      const wait = () => call({ kind: 'build', order: 'asc', wait_s: 1 })
      const answers = await Promise.all(Array.from({ length: 21 }, wait))
      return answers.find(({ status }) => status !== 200) ?? expect.unreachable('All may wait.')
    },
  },
}
