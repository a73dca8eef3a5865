/** For every procedure there is: something of a team that it can be called on, and what of that another team names. */

import type { inferRouterInputs } from '@trpc/server'
import type { requiredRoles } from '../../src/auth/roles.ts'
import { type IdKind, newId } from '../../src/ids.ts'
import type { AppRouter } from '../../src/routers/index.ts'
import { type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

export type ProcedureName = keyof typeof requiredRoles

/** A team with one of everything. */
export type Fixture = {
  team: TestTeam
  /** Named so that no other team has one of that name. */
  project: { id: string; name: string }
  /** Ready, and not live. */
  deployment: { id: string }
  /** Claimed by no other team. */
  domain: { id: string; domain: string }
  /** Made by the owner. */
  key: { id: string }
  /** In the domain's zone. */
  record: { id: string }
  webhook: { id: string }
}

export async function newFixture(node: TestNode, ofTeam?: TestTeam): Promise<Fixture> {
  const team = ofTeam ?? (await newTeam(node))
  const name = unique('site')
  const [{ body: project }, { body: domain }, { body: key }, webhook] = await Promise.all([
    team.owner('PUT', `/v1/projects/${name}`),
    team.owner('PUT', `/v1/domains/${name}.com`),
    team.owner('POST', '/v1/apikeys', { name: 'a key' }),
    newWebhook(team),
  ])
  const files = [{ path: 'index.html', content: 'hello' }]
  const [{ body: deployment }, record] = await Promise.all([
    team.owner('POST', '/v1/deployments', { project: name, files }),
    newRecord(team, domain.domain),
  ])
  return { team, project, deployment, domain, key, record, webhook }
}

/** To a name that has no address. */
const webhookInput: Inputs['webhooks']['create'] = {
  url: 'https://hooks.example.com/',
  events: ['project.created'],
}

async function newWebhook({ owner }: TestTeam): Promise<{ id: string }> {
  return (await owner('POST', '/v1/webhooks', webhookInput)).body
}

async function newRecord({ owner }: TestTeam, domain: string): Promise<{ id: string }> {
  const record = { name: 'www', type: 'TXT', value: unique('text') }
  return (await owner('POST', `/v1/domains/${domain}/records`, record)).body
}

/** A reference in the input, by the name of its field, and what stands there for something that doesn't exist. */
type Reference = { field: string; value: string; unknown: string }

type Case = {
  /** A call that an owner may make. */
  input: (own: Fixture) => Record<string, unknown>
  /** How the call can name what belongs to a team; with nothing here it only knows the caller's own. */
  references?: (theirs: Fixture) => Reference[]
  /** The status for what belongs to another team, or exists nowhere, where it isn't 404. */
  foreign?: number
  /** What an owner gets on this node, where it isn't 200. */
  owner?: number
  /** What a member gets, where the role is not all that decides. */
  member?: number
  /** Makes the owner's call possible, after the member's was tried. */
  prepare?: (own: Fixture) => Promise<unknown>
}

type Inputs = inferRouterInputs<AppRouter>

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

/** A case without an entry here, or an entry without a procedure, doesn't compile. */
export const cases: Record<ProcedureName, Case> = {
  'deployments.create': {
    input: ({ project }): Inputs['deployments']['create'] => ({
      project: project.name,
      files: [{ path: 'index.html', content: 'hello' }],
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
    // A name that nobody has proven is free.
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
  // There is none that could be sent again.
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
  'teams.list': { input: (): Inputs['teams']['list'] => ({}) },
  'teams.get': {
    input: ({ team }): Inputs['teams']['get'] => ({ team: team.slug }),
    references: teamReferences,
  },
  'teams.put': {
    input: ({ team }): Inputs['teams']['put'] => ({ team: team.id, name: 'Another name' }),
    // A slug is on the whole platform: taken or free.
    references: (theirs) => teamReferences(theirs).slice(0, 1),
  },
  'teams.delete': {
    input: ({ team }): Inputs['teams']['delete'] => ({ team: team.id }),
    references: teamReferences,
    prepare: ({ team, project }) => team.owner('DELETE', `/v1/projects/${project.id}`),
  },
  // A person's own, which keys of teams know nothing of.
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
  'tokens.listKeys': { input: (): Inputs['tokens']['listKeys'] => ({}) },
  'tokens.revokeKey': {
    input: ({ key }): Inputs['tokens']['revokeKey'] => ({ key: key.id }),
    references: ({ key }) => [{ field: 'key', value: key.id, unknown: unknownId('key') }],
    // Theirs are only those of their own making.
    member: 404,
  },
  // Only a node with a secret mints.
  'tokens.mint': { input: () => ({}), owner: 400, member: 400 },
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
}
