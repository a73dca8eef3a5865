/** Each change creates one event in the team's log, in the order in which they happened. */
import { beforeAll, describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/lib/names/event-types.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { claim } from '../../support/claims.ts'
import { logOf as eventsOf } from '../../support/event-log.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const logOf = (team: TestTeam) => eventsOf(node, team)

async function typesOf(team: TestTeam): Promise<string[]> {
  return (await logOf(team)).map(({ type }) => type).sort()
}

describe('a deployment’s events', () => {
  it('say that it was created, is ready and became live, and what was live before', async () => {
    const team = await newTeam(node)
    const first = await deploy(team, { project: 'web', target: 'production' })
    const second = await deploy(team, { project: 'web', target: 'production' })
    await team.owner('POST', `/v1/deployments/${first.id}/promote`)
    await team.owner('POST', `/v1/deployments/${first.id}/promote`)
    await team.owner('DELETE', `/v1/deployments/${second.id}`)
    expect(await typesOf(team)).toEqual([
      'deployment.created',
      'deployment.created',
      'deployment.deleted',
      'deployment.promoted',
      'deployment.promoted',
      'deployment.promoted',
      'deployment.ready',
      'deployment.ready',
      'project.created',
    ])
    const promoted = (await logOf(team)).filter(({ type }) => type === 'deployment.promoted')
    expect(promoted.map(({ data, deploymentId }) => ({ ...data, deployment: deploymentId }))).toEqual([
      { deployment: first.id, previous: null, rollback: false },
      { deployment: second.id, previous: first.id, rollback: false },
      { deployment: first.id, previous: second.id, rollback: true },
    ])
  })

  it('do not include refused calls', async () => {
    const team = await newTeam(node)
    await team.owner('POST', '/v1/deployments', { project: 'none', files: [{ path: 'a', content: '' }] })
    expect(await logOf(team)).toEqual([])
  })
})

it('a project’s event names the changed fields, never their values', async () => {
  const team = await newTeam(node)
  const env = [{ key: 'TOKEN', value: 'a-secret-value' }]
  await team.owner('PUT', '/v1/projects/web', { env })
  await team.owner('PUT', '/v1/projects/web', { name: 'site', env, bypass_secret: 'x'.repeat(40) })
  const all = {
    build: { build_command: 'npm run build' },
    env: [{ key: 'TOKEN', value: 'another-secret-value' }],
    protection: null,
    auto_promote: true,
    preview_ttl_days: null,
    spa: true,
  }
  await team.owner('PUT', '/v1/projects/site', all)
  await team.owner('PUT', '/v1/projects/site', { ...all, bypass_secret: 'x'.repeat(40) })
  await team.owner('DELETE', '/v1/projects/site')
  const rows = await logOf(team)
  expect(rows.map(({ type, data }) => [type, data])).toMatchObject([
    ['project.created', { project: { name: 'web' } }],
    ['project.updated', { project: { name: 'site' }, changed: ['name', 'bypass_secret'] }],
    ['project.updated', { project: { name: 'site' }, changed: ['build', 'spa', 'env'] }],
    ['project.deleted', { project: { name: 'site' } }],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/secret-value|xxxxx/)
})

it('a key’s events say who created and revoked it, with which key and request, and from where', async () => {
  const team = await newTeam(node)
  const { body: key, headers } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
  await team.owner('DELETE', `/v1/apikeys/${key.id}`)
  const [made, revoked] = await logOf(team)
  const eventData = { id: key.id, name: 'ci', prefix: key.prefix, role: 'member' }
  expect(made).toMatchObject({
    type: 'key.created',
    data: { key: eventData },
    actorId: team.ownerId,
    keyId: expect.stringMatching(/^key_/),
    requestId: headers.get('x-request-id'),
    address: '127.0.0.1',
  })
  expect(revoked).toMatchObject({ type: 'key.revoked', data: { key: eventData } })
  expect(JSON.stringify(made)).not.toContain(key.token)
})

it('a team’s events say who joined and who left', async () => {
  const team = await newTeam(node)
  const self = { email: null, role: 'owner' }
  const invited = { email: 'ann@example.com', role: 'member' }
  await team.owner('PUT', `/v1/teams/${team.slug}`, { name: 'Web', members: [self, invited] })
  await team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self, invited] })
  await team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self] })
  const eventData = (await logOf(team)).map(({ type, data }) => [type, data])
  const member = { user: null, ...invited }
  expect(eventData).toMatchObject([
    ['team.updated', { team: { slug: team.slug, name: 'Web' }, changed: ['name', 'members'] }],
    ['member.added', { member }],
    ['team.updated', { changed: ['members'] }],
    ['member.removed', { member }],
  ])
})

it('every event type that a call can cause is created', async () => {
  const team = await newTeam(node)
  const domain = `${unique('event')}.com`
  await claim(node, team, domain, { proven: true })
  const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
  await team.owner('DELETE', `/v1/apikeys/${key.id}`)
  const self = { email: null, role: 'owner' }
  await team.owner('PUT', `/v1/teams/${team.slug}`, {
    members: [self, { email: 'ann@example.com', role: 'member' }],
  })
  await team.owner('PUT', `/v1/teams/${team.slug}`, {
    members: [self, { email: 'ann@example.com', role: 'owner' }],
  })
  await team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self] })
  const first = await deploy(team, { project: 'web', target: 'production' })
  await deploy(team, { project: 'web', target: 'production' })
  await team.owner('DELETE', `/v1/deployments/${first.id}`)
  await team.owner('PUT', '/v1/projects/web', { spa: true })
  const made = await team.owner('POST', '/trpc/hooks.create', { project: 'web', name: 'cms' })
  await team.owner('POST', '/trpc/hooks.revoke', { project: 'web', id: made.body.result.data.id })
  const policy = { project: 'web', issuer: 'https://gitlab.com', claims: { project_id: '1' } }
  const trusted = await team.owner('POST', '/trpc/trust.create', policy)
  await team.owner('POST', '/trpc/trust.revoke', { project: 'web', id: trusted.body.result.data.id })
  await team.owner('DELETE', '/v1/projects/web')
  await team.owner('PUT', `/v1/domains/www.${domain}`)
  await team.owner('PUT', `/v1/domains/www.${domain}`, { redirect: { to: 'example.net' } })
  const records = `/v1/domains/${domain}/records`
  const { body: record } = await team.owner('POST', records, { name: '@', type: 'TXT', value: 'x' })
  await team.owner('PUT', `${records}/${record.id}`, { value: 'y' })
  await team.owner('DELETE', `${records}/${record.id}`)
  await team.owner('DELETE', `/v1/domains/${domain}`)
  // Builds, forges and orders of certificates create these, and calls in `test/api/server/audit-cases.ts`.
  const elsewhere = [
    'deployment.error',
    'deployment.canceled',
    'git.approved',
    'git.retried',
    'git.branch_deleted',
    'domain.certificate_issued',
    'domain.certificate_failed',
    'team.created',
  ]
  const of = ['webhook', 'share_link', 'invitation_link']
  const expected = eventTypes.filter(
    (type) => !elsewhere.includes(type) && !of.includes(type.replace(/\..*/, '')),
  )
  expect([...new Set(await typesOf(team))]).toEqual(expected.sort())
})
