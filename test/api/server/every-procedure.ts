/**
 * For every procedure: a team's resource that it can be called on, and the fields in which another team can
 * name it.
 */

import type { inferRouterInputs } from '@trpc/server'
import type { AppRouter } from '../../../src/api/routers/index.ts'
import { type IdKind, newId } from '../../../src/lib/ids.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

type Inputs = inferRouterInputs<AppRouter>

export type ProcedureName = {
  [Category in keyof Inputs]: `${Category}.${keyof Inputs[Category] & string}`
}[keyof Inputs]

/** The procedures that only an owner may call, whatever their input. */
export const forOwners: readonly ProcedureName[] = [
  'projects.delete',
  'domains.delete',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.redeliver',
  'webhooks.enable',
  'teams.put',
  'teams.leaving',
  'teams.requireSecondFactor',
  'teams.delete',
  'invitationLinks.create',
  'invitationLinks.list',
  'invitationLinks.revoke',
  'hooks.create',
  'hooks.list',
  'hooks.revoke',
  'trust.create',
  'trust.list',
  'trust.revoke',
  'git.inspect',
  'git.registerHook',
  'git.approve',
]

/** A team with one of everything. */
export type Fixture = {
  team: TestTeam
  /** Named so that no other team has the same name. */
  project: { id: string; name: string }
  /** Ready, and not live. */
  deployment: { id: string }
  /** Claimed by no other team. */
  domain: { id: string; domain: string }
  /** Created by the owner. */
  key: { id: string }
  /** In the domain's zone. */
  record: { id: string }
  webhook: { id: string }
}

export async function newFixture(node: TestNode, ofTeam?: TestTeam): Promise<Fixture> {
  const team = ofTeam ?? (await newTeam(node))
  const name = unique('site')
  const [project, domain, key, webhook] = await Promise.all([
    made(team.owner('PUT', `/v1/projects/${name}`)),
    made(team.owner('PUT', `/v1/domains/${name}.com`)),
    made(team.owner('POST', '/v1/apikeys', { name: 'a key' })),
    newWebhook(team),
  ])
  const files = [{ path: 'index.html', content: 'hello' }]
  const [deployment, record] = await Promise.all([
    made(team.owner('POST', '/v1/deployments', { project: name, files })),
    newRecord(team, domain.domain),
  ])
  return { team, project, deployment, domain, key, record, webhook }
}

type Answer = ReturnType<TestTeam['owner']>

/** The record in a response. @throws Error where it is a refusal: each test after it would fail. */
async function made(response: Answer): Promise<Awaited<Answer>['body']> {
  const { status, body } = await response
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** To a host without an address. */
const webhookInput: Inputs['webhooks']['create'] = {
  url: 'https://hooks.example.com/',
  events: ['project.created'],
}

async function newWebhook({ owner }: TestTeam): Promise<{ id: string }> {
  return made(owner('POST', '/v1/webhooks', webhookInput))
}

async function newRecord({ owner }: TestTeam, domain: string): Promise<{ id: string }> {
  const record = { name: 'www', type: 'TXT', value: unique('text') }
  return made(owner('POST', `/v1/domains/${domain}/records`, record))
}

/** A reference in the input, by its field's name, and a value for something that doesn't exist. */
type Reference = { field: string; value: string; unknown: string }

type Case = {
  /** A valid call by an owner. */
  input: (own: Fixture) => Record<string, unknown>
  /** How the call can name another team's resources; without it, it can only reach the caller's own. */
  references?: (theirs: Fixture) => Reference[]
  /** The status for a resource that belongs to another team, or doesn't exist, if it isn't 404. */
  foreign?: number
  /** An owner's status on this node, if it isn't 200. */
  owner?: number
  /** A member's status, if it depends on more than the role. */
  member?: number
  /** Makes the owner's call possible, after the member's was tried. */
  prepare?: (own: Fixture) => Promise<unknown>
}

const unknownId = (kind: IdKind) => newId(kind, Date.now())

const projectReferences = ({ project: { id, name } }: Fixture): Reference[] => [
  { field: 'project', value: id, unknown: unknownId('project') },
  { field: 'project', value: name, unknown: unique('nobodys') },
]

const deploymentReferences = ({ deployment: { id } }: Fixture): Reference[] => [
  { field: 'deployment', value: id, unknown: unknownId('deployment') },
]

const domainReferences = ({ domain: { id, domain } }: Fixture): Reference[] => [
  { field: 'domain', value: id, unknown: unknownId('domain') },
  { field: 'domain', value: domain, unknown: `${unique('nobodys')}.com` },
]

const recordReferences = (theirs: Fixture): Reference[] => [
  ...domainReferences(theirs),
  { field: 'record', value: theirs.record.id, unknown: unknownId('record') },
]

const webhookReferences = ({ webhook: { id } }: Fixture): Reference[] => [
  { field: 'webhook', value: id, unknown: unknownId('webhook') },
]

const teamReferences = ({ team: { id, slug } }: Fixture): Reference[] => [
  { field: 'team', value: id, unknown: unknownId('team') },
  { field: 'team', value: slug, unknown: unique('nobodys') },
]

const factorProof = { current_password: 'the present password', code: '123456' }

/** A procedure without a case, or a case without a procedure, doesn't compile. */
export const cases: Record<ProcedureName, Case> = {
  'deployments.create': {
    input: ({ project }): Inputs['deployments']['create'] => ({
      project: project.name,
      files: [{ path: 'index.html', content: 'hello' }],
    }),
    references: projectReferences,
  },
  'deployments.missing': {
    input: ({ project }): Inputs['deployments']['missing'] => ({
      project: project.id,
      files: [{ path: 'index.html', size: 5, sha256: 'a'.repeat(64) }],
    }),
    references: projectReferences,
  },
  'deployments.list': {
    input: ({ project }): Inputs['deployments']['list'] => ({ project: project.id }),
    references: projectReferences,
    foreign: 200,
  },
  'deployments.get': {
    input: ({ deployment }): Inputs['deployments']['get'] => ({ deployment: deployment.id }),
    references: deploymentReferences,
  },
  'deployments.files': {
    input: ({ deployment }): Inputs['deployments']['files'] => ({ deployment: deployment.id }),
    references: deploymentReferences,
  },
  'deployments.compare': {
    input: ({ deployment }): Inputs['deployments']['compare'] => ({ deployment: deployment.id }),
    references: (theirs) => [
      ...deploymentReferences(theirs),
      { field: 'with', value: theirs.deployment.id, unknown: unknownId('deployment') },
    ],
  },
  'deployments.promote': {
    input: ({ deployment }): Inputs['deployments']['promote'] => ({ deployment: deployment.id }),
    references: deploymentReferences,
  },
  'deployments.delete': {
    input: ({ deployment }): Inputs['deployments']['delete'] => ({ deployment: deployment.id }),
    references: deploymentReferences,
    // Members cancel; this one has ended.
    member: 403,
  },
  'projects.list': { input: (): Inputs['projects']['list'] => ({}) },
  'projects.summaries': { input: (): Inputs['projects']['summaries'] => ({}) },
  'projects.get': {
    input: ({ project }): Inputs['projects']['get'] => ({ project: project.id }),
    references: projectReferences,
  },
  'projects.put': {
    input: ({ project }): Inputs['projects']['put'] => ({ project: project.id, spa: true }),
    // The name of another team's project is free.
    references: (theirs) => projectReferences(theirs).slice(0, 1),
  },
  'projects.delete': {
    input: ({ project }): Inputs['projects']['delete'] => ({ project: project.name }),
    references: projectReferences,
  },
  'domains.list': {
    input: ({ project }): Inputs['domains']['list'] => ({ project: project.id }),
    references: projectReferences,
    foreign: 200,
  },
  'domains.get': {
    input: ({ domain }): Inputs['domains']['get'] => ({ domain: domain.domain }),
    references: domainReferences,
  },
  'domains.put': {
    input: ({ domain, project }): Inputs['domains']['put'] => ({ domain: domain.id, project: project.id }),
    // A name that nobody has verified is free.
    references: (theirs) => [...domainReferences(theirs).slice(0, 1), ...projectReferences(theirs)],
  },
  'domains.delete': {
    input: ({ domain }): Inputs['domains']['delete'] => ({ domain: domain.domain }),
    references: domainReferences,
  },
  'domains.verify': {
    input: ({ domain }): Inputs['domains']['verify'] => ({ domain: domain.domain }),
    references: domainReferences,
  },
  'dns.list': {
    input: ({ domain }): Inputs['dns']['list'] => ({ domain: domain.domain }),
    references: domainReferences,
  },
  'dns.create': {
    input: ({ domain }): Inputs['dns']['create'] => ({
      domain: domain.id,
      name: 'www',
      type: 'TXT',
      value: unique('text'),
    }),
    references: domainReferences,
  },
  'dns.get': {
    input: ({ domain, record }): Inputs['dns']['get'] => ({ domain: domain.domain, record: record.id }),
    references: recordReferences,
  },
  'dns.put': {
    input: ({ domain, record }): Inputs['dns']['put'] => ({
      domain: domain.domain,
      record: record.id,
      ttl: 3_600,
    }),
    references: recordReferences,
  },
  'dns.delete': {
    input: ({ domain, record }): Inputs['dns']['delete'] => ({ domain: domain.domain, record: record.id }),
    references: recordReferences,
    prepare: async (own) => {
      own.record = await newRecord(own.team, own.domain.domain)
    },
  },
  'dns.check': {
    input: ({ domain, record }): Inputs['dns']['check'] => ({
      domain: domain.domain,
      record: record.id,
      name: 'www',
      type: 'TXT',
      value: 'text',
    }),
    references: recordReferences,
  },
  'dns.exportZone': {
    input: ({ domain }): Inputs['dns']['exportZone'] => ({ domain: domain.domain }),
    references: domainReferences,
  },
  'dns.importZone': {
    input: ({ domain }): Inputs['dns']['importZone'] => ({ domain: domain.domain, zone: 'a TXT x' }),
    references: domainReferences,
  },
  'webhooks.list': { input: (): Inputs['webhooks']['list'] => ({}) },
  'webhooks.create': {
    input: ({ project }): Inputs['webhooks']['create'] => ({
      ...webhookInput,
      projects: [project.name],
    }),
  },
  'webhooks.get': {
    input: ({ webhook }): Inputs['webhooks']['get'] => ({ webhook: webhook.id }),
    references: webhookReferences,
  },
  'webhooks.delete': {
    input: ({ webhook }): Inputs['webhooks']['delete'] => ({ webhook: webhook.id }),
    references: webhookReferences,
    prepare: async (own) => {
      own.webhook = await newWebhook(own.team)
    },
  },
  'webhooks.deliveries': {
    input: ({ webhook }): Inputs['webhooks']['deliveries'] => ({ webhook: webhook.id }),
    references: webhookReferences,
  },
  // The ping of its creation is pending.
  'webhooks.test': {
    input: ({ webhook }): Inputs['webhooks']['test'] => ({ webhook: webhook.id }),
    references: webhookReferences,
    owner: 409,
  },
  // There is no delivery that could be sent again.
  'webhooks.redeliver': {
    input: ({ webhook }): Inputs['webhooks']['redeliver'] => ({
      webhook: webhook.id,
      delivery: unknownId('delivery'),
    }),
    references: webhookReferences,
    owner: 404,
  },
  'webhooks.enable': {
    input: ({ webhook }): Inputs['webhooks']['enable'] => ({ webhook: webhook.id }),
    references: webhookReferences,
  },
  'webhooks.mails': { input: (): Inputs['webhooks']['mails'] => ({}) },
  // A person chooses, for whom keys don't speak.
  'webhooks.subscribe': {
    input: ({ webhook }): Inputs['webhooks']['subscribe'] => ({ webhook: webhook.id }),
    references: webhookReferences,
    foreign: 403,
    owner: 403,
    member: 403,
  },
  'webhooks.unsubscribe': {
    input: ({ webhook }): Inputs['webhooks']['unsubscribe'] => ({ webhook: webhook.id }),
    references: webhookReferences,
    foreign: 403,
    owner: 403,
    member: 403,
  },
  'teams.list': { input: (): Inputs['teams']['list'] => ({}) },
  'teams.get': {
    input: ({ team }): Inputs['teams']['get'] => ({ team: team.slug }),
    references: teamReferences,
  },
  'teams.put': {
    input: ({ team }): Inputs['teams']['put'] => ({ team: team.id, name: 'Another name' }),
    // A slug is unique on the whole platform: taken or free.
    references: (theirs) => teamReferences(theirs).slice(0, 1),
  },
  'teams.delete': {
    input: ({ team }): Inputs['teams']['delete'] => ({ team: team.id }),
    references: teamReferences,
    prepare: ({ team, project }) => team.owner('DELETE', `/v1/projects/${project.id}`),
  },
  'teams.leaving': {
    input: ({ team }): Inputs['teams']['leaving'] => ({ team: team.id, email: null }),
    references: teamReferences,
  },
  'teams.requireSecondFactor': {
    input: ({ team }): Inputs['teams']['requireSecondFactor'] => ({ team: team.id, required: false }),
    references: teamReferences,
  },
  // They belong to a user, whom keys of teams don't represent.
  'teams.invitations': { input: (): Inputs['teams']['invitations'] => ({}), owner: 403, member: 403 },
  'teams.acceptInvitation': {
    input: ({ team }): Inputs['teams']['acceptInvitation'] => ({ team: team.slug }),
    references: teamReferences,
    foreign: 403,
    owner: 403,
    member: 403,
  },
  'teams.declineInvitation': {
    input: ({ team }): Inputs['teams']['declineInvitation'] => ({ team: team.slug }),
    references: teamReferences,
    foreign: 403,
    owner: 403,
    member: 403,
  },
  'tokens.createKey': { input: (): Inputs['tokens']['createKey'] => ({ name: 'another key' }) },
  'tokens.createLimitedKey': {
    input: ({ project }): Inputs['tokens']['createLimitedKey'] => ({
      name: 'a limited key',
      expires_ms: Date.now() + 3_600_000,
      projects: [project.id],
      read_only: true,
    }),
  },
  'tokens.listKeys': { input: (): Inputs['tokens']['listKeys'] => ({}) },
  'tokens.keyDetails': { input: (): Inputs['tokens']['keyDetails'] => ({}) },
  'tokens.revokeKey': {
    input: ({ key }): Inputs['tokens']['revokeKey'] => ({ key: key.id }),
    references: ({ key }) => [{ field: 'key', value: key.id, unknown: unknownId('key') }],
    // Members see only the keys that they created.
    member: 404,
  },
  // Only a node with a JWT secret mints JWTs.
  'tokens.mint': { input: () => ({}), owner: 400, member: 400 },
  'account.get': { input: (): Inputs['account']['get'] => ({}) },
  // The rest of an account is the person's alone.
  'account.update': {
    input: (): Inputs['account']['update'] => ({ name: 'Another name' }),
    owner: 403,
    member: 403,
  },
  'account.changePassword': {
    input: (): Inputs['account']['changePassword'] => ({
      current_password: 'the present password',
      new_password: 'another password',
    }),
    owner: 403,
    member: 403,
  },
  'account.startSecondFactor': {
    input: (): Inputs['account']['startSecondFactor'] => ({ current_password: 'the present password' }),
    owner: 403,
    member: 403,
  },
  'account.confirmSecondFactor': {
    input: (): Inputs['account']['confirmSecondFactor'] => ({ code: '123456' }),
    owner: 403,
    member: 403,
  },
  'account.renewRecoveryCodes': {
    input: (): Inputs['account']['renewRecoveryCodes'] => factorProof,
    owner: 403,
    member: 403,
  },
  'account.stopSecondFactor': {
    input: (): Inputs['account']['stopSecondFactor'] => factorProof,
    owner: 403,
    member: 403,
  },
  'links.create': {
    input: ({ project }): Inputs['links']['create'] => ({ project: project.name }),
    references: projectReferences,
  },
  'links.list': {
    input: ({ project }): Inputs['links']['list'] => ({ project: project.name }),
    references: projectReferences,
  },
  'links.revoke': {
    input: ({ project }): Inputs['links']['revoke'] => ({
      project: project.name,
      id: unknownId('shareLink'),
    }),
    references: projectReferences,
    owner: 404,
    member: 404,
  },
  'ps.list': {
    input: ({ project }): Inputs['ps']['list'] => ({ project: project.name }),
    references: projectReferences,
  },
  'ps.restart': {
    input: ({ project }): Inputs['ps']['restart'] => ({ project: project.name }),
    references: projectReferences,
  },
  'hooks.create': {
    input: ({ project }): Inputs['hooks']['create'] => ({ project: project.name, name: 'cms' }),
    references: projectReferences,
  },
  'hooks.list': {
    input: ({ project }): Inputs['hooks']['list'] => ({ project: project.name }),
    references: projectReferences,
  },
  'hooks.revoke': {
    input: ({ project }): Inputs['hooks']['revoke'] => ({
      project: project.name,
      id: unknownId('deployHook'),
    }),
    references: projectReferences,
    owner: 404,
  },
  'trust.create': {
    input: ({ project }): Inputs['trust']['create'] => ({
      project: project.name,
      issuer: 'https://gitlab.com',
      claims: { project_id: '1' },
    }),
    references: projectReferences,
  },
  'trust.list': {
    input: ({ project }): Inputs['trust']['list'] => ({ project: project.name }),
    references: projectReferences,
  },
  'trust.revoke': {
    input: ({ project }): Inputs['trust']['revoke'] => ({
      project: project.name,
      id: unknownId('trustPolicy'),
    }),
    references: projectReferences,
    owner: 404,
  },
  'git.deliveries': {
    input: ({ project }): Inputs['git']['deliveries'] => ({ project: project.name }),
    references: projectReferences,
  },
  'git.inspect': {
    input: (): Inputs['git']['inspect'] => ({ git: { url: 'https://localhost/team/site' } }),
    owner: 400,
  },
  'git.deploy': {
    input: ({ project }): Inputs['git']['deploy'] => ({ project: project.name }),
    references: projectReferences,
    owner: 400,
    member: 400,
  },
  'git.registerHook': {
    input: ({ project }): Inputs['git']['registerHook'] => ({ project: project.name }),
    references: projectReferences,
    owner: 400,
  },
  'git.retry': {
    input: ({ project }): Inputs['git']['retry'] => ({
      project: project.name,
      delivery: unknownId('forgeDelivery'),
    }),
    references: projectReferences,
    owner: 404,
    member: 404,
  },
  'git.approve': {
    input: ({ project }): Inputs['git']['approve'] => ({
      project: project.name,
      delivery: unknownId('forgeDelivery'),
      commit: 'c'.repeat(40),
    }),
    references: projectReferences,
    owner: 404,
  },
  'account.passkeys': { input: (): Inputs['account']['passkeys'] => ({}), owner: 403, member: 403 },
  'account.startPasskey': {
    input: (): Inputs['account']['startPasskey'] => factorProof,
    owner: 403,
    member: 403,
  },
  'account.addPasskey': {
    input: (): Inputs['account']['addPasskey'] => ({
      credential: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      },
    }),
    owner: 403,
    member: 403,
  },
  'account.renamePasskey': {
    input: (): Inputs['account']['renamePasskey'] => ({ id: unknownId('passkey'), name: 'A phone' }),
    owner: 403,
    member: 403,
  },
  'account.removePasskey': {
    input: (): Inputs['account']['removePasskey'] => ({ id: unknownId('passkey'), ...factorProof }),
    owner: 403,
    member: 403,
  },
  'account.startPasskeyProof': {
    input: (): Inputs['account']['startPasskeyProof'] => ({}),
    owner: 403,
    member: 403,
  },
  'account.sessions': { input: (): Inputs['account']['sessions'] => ({}), owner: 403, member: 403 },
  'account.endSession': {
    input: (): Inputs['account']['endSession'] => ({ id: unknownId('session') }),
    owner: 403,
    member: 403,
  },
  'account.endOtherSessions': {
    input: (): Inputs['account']['endOtherSessions'] => ({}),
    owner: 403,
    member: 403,
  },
  'account.proveAddress': {
    input: (): Inputs['account']['proveAddress'] => ({}),
    owner: 403,
    member: 403,
  },
  'invitationLinks.create': {
    input: ({ team }): Inputs['invitationLinks']['create'] => ({
      team: team.slug,
      email: 'grace@example.com',
    }),
    references: teamReferences,
    prepare: ({ team }) =>
      team.owner('PUT', `/v1/teams/${team.slug}`, {
        members: [
          { email: null, role: 'owner' },
          { email: 'grace@example.com', role: 'member' },
        ],
      }),
  },
  'invitationLinks.list': {
    input: ({ team }): Inputs['invitationLinks']['list'] => ({ team: team.slug }),
    references: teamReferences,
  },
  'invitationLinks.revoke': {
    input: ({ team }): Inputs['invitationLinks']['revoke'] => ({
      team: team.slug,
      id: unknownId('invitationLink'),
    }),
    references: teamReferences,
    owner: 404,
  },
  'observability.overview': { input: (): Inputs['observability']['overview'] => ({}) },
  'observability.logs': {
    input: ({ project }): Inputs['observability']['logs'] => ({ project: project.id }),
    references: (theirs) => [...projectReferences(theirs), ...deploymentReferences(theirs)],
    foreign: 200,
  },
  'observability.metrics': {
    input: ({ project }): Inputs['observability']['metrics'] => ({ metric: 'requests', project: project.id }),
    references: projectReferences,
  },
  'events.follow': { input: (): Inputs['events']['follow'] => ({}) },
}
