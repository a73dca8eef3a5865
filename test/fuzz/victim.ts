/** The team of a run that nobody may see or change. */
import { deploy } from '../platform/deployments/steps.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { mint } from '../support/enforcing-node.ts'
import { type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import type { Kind } from './references.ts'

/** A team with one of everything, whose names are its own. */
export type Victim = {
  teamId: string
  /** Ids and names, for calls that try them. */
  references: [Kind, string][]
  /** Is in each of its rows, and in no call: only its members may receive it. */
  secret: string
}

/** Creates it, with a verified domain. */
export async function newVictim(node: TestNode, dns: DnsServer): Promise<Victim> {
  const secret = unique('unseen')
  const team = await newTeam(node)
  const { api } = await mint(node, team.ownerKey)
  const owner: TestTeam = { ...team, owner: api }
  const name = unique('victim')
  const deployment = await deploy(owner, {
    project: name,
    target: 'production',
    meta: { branch: secret },
    files: [{ path: `${secret}.html`, content: secret }],
  })
  const env = [{ key: `A_${secret.replaceAll('-', '_')}`, value: secret }]
  const { body: project } = await api('PUT', `/v1/projects/${name}`, {
    env,
    build: { root_directory: secret },
  })
  const { body: domain } = await api('PUT', `/v1/domains/${name}.com`, { redirect: { to: `${secret}.com` } })
  for (const { name: proof, value } of domain.verification) dns.set(proof, 'TXT', [value])
  await api('POST', `/v1/domains/${name}.com/verify`)
  const text = { name: secret, type: 'TXT', value: secret, comment: secret }
  const { body: record } = await api('POST', `/v1/domains/${name}.com/records`, text)
  const hook = { url: `https://${secret}.example.com/`, events: ['project.created'] }
  const { body: webhook } = await api('POST', '/v1/webhooks', hook)
  const { body: key } = await api('POST', '/v1/apikeys', { name: secret })
  await api('PUT', `/v1/teams/${team.slug}`, { name: secret })
  const references: [Kind, string][] = [
    ['project', project.id],
    ['project', name],
    ['deployment', deployment.id],
    ['domain', domain.id],
    ['domain', domain.domain],
    ['record', record.id],
    ['webhook', webhook.id],
    ['team', team.id],
    ['team', team.slug],
    ['key', key.id],
  ]
  if (references.some(([, each]) => each === undefined)) throw new Error('The victim lacks something.')
  return { teamId: team.id, references, secret }
}
