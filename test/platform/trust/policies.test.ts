/** Trust policies as owners manage them. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { trustPolicies } from '../../../src/stores/db/schema/trust-policies.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const github = 'https://token.actions.githubusercontent.com'
const claims = { repository_id: '42', ref: 'refs/heads/main' }

const clientOf = (token: string) => createClient({ url: node.apiUrl, token, retry: false })

async function newSite() {
  const team = await newTeam(node)
  const client = clientOf(team.ownerKey)
  const project = await client.projects.put.mutate({ project: 'web' })
  return { team, client, project }
}

const refused = (reason: string) => expect.objectContaining({ data: expect.objectContaining({ reason }) })

const refusedAt = (path: string) =>
  expect.objectContaining({
    data: expect.objectContaining({ issues: expect.arrayContaining([expect.objectContaining({ path })]) }),
  })

describe('a policy', () => {
  it('is made, listed and revoked, and the audit log says so', async () => {
    const { team, client } = await newSite()
    const policy = await client.trust.create.mutate({ project: 'web', issuer: github, claims })
    expect(policy).toEqual({
      id: expect.stringMatching(/^tp_[0-9a-f]{32}$/),
      issuer: github,
      claims,
      targets: ['preview'],
      bind_branch: false,
      created_by: team.ownerId,
      created_by_name: expect.any(String),
      created_ms: expect.any(Number),
      last_used_ms: 0,
      ended: null,
    })
    expect(await client.trust.list.query({ project: 'web' })).toEqual({ data: [policy] })
    expect(await client.trust.revoke.mutate({ project: 'web', id: policy.id })).toEqual({
      id: policy.id,
      deleted: true,
    })
    expect(await client.trust.list.query({ project: 'web' })).toEqual({ data: [] })
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&q=policy')
    expect(body.data.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining(`revoked trust policy ${policy.id} of web`),
      expect.stringContaining(`made trust policy ${policy.id} of web`),
    ])
  })

  it('names an issuer that the server trusts', async () => {
    const { client } = await newSite()
    for (const issuer of ['https://issuer.example', `${github}/`, 'file:///etc/passwd', 'constructor']) {
      const call = client.trust.create.mutate({ project: 'web', issuer, claims })
      await expect(call).rejects.toEqual(refusedAt('issuer'))
    }
  })

  it.each([
    [github, { ref: 'refs/heads/main' }, 'claims.repository_id'],
    [github, { repository_id: 'acme/web' }, 'claims.repository_id'],
    ['https://gitlab.com', { ref: 'main' }, 'claims.project_id'],
    [github, {}, 'claims'],
    [github, { ...claims, aud: 'https://elsewhere.example' }, 'claims.aud'],
    [github, { ...claims, iss: github }, 'claims.iss'],
    [github, { ...claims, ref: '' }, 'claims.ref'],
  ])('of %s with the claims %j is refused at %s', async (issuer, given, path) => {
    const { client } = await newSite()
    const call = client.trust.create.mutate({ project: 'web', issuer, claims: given })
    await expect(call).rejects.toEqual(refusedAt(path))
  })

  it('is one of at most twenty of a project', async () => {
    const { client } = await newSite()
    const make = (ref: string) =>
      client.trust.create.mutate({ project: 'web', issuer: github, claims: { ...claims, ref } })
    for (let i = 0; i < 20; i += 1) await make(`refs/heads/${i}`)
    await expect(make('refs/heads/more')).rejects.toEqual(refused('too_many_trust_policies'))
  })

  it("is nobody else's: members and other teams neither see nor revoke it", async () => {
    const [site, other] = [await newSite(), await newSite()]
    const { id } = await site.client.trust.create.mutate({ project: 'web', issuer: github, claims })
    const { key } = await addMember(node, site.team)
    const member = clientOf(key)
    await expect(member.trust.list.query({ project: 'web' })).rejects.toEqual(refused('role_required'))
    await expect(member.trust.revoke.mutate({ project: 'web', id })).rejects.toEqual(refused('role_required'))
    await expect(other.client.trust.revoke.mutate({ project: 'web', id })).rejects.toEqual(
      refused('trust_policy_not_found'),
    )
    const theirs = { project: site.project.id }
    await expect(other.client.trust.list.query(theirs)).rejects.toEqual(refused('project_not_found'))
  })

  it('goes with its project', async () => {
    const { client, project } = await newSite()
    await client.trust.create.mutate({ project: 'web', issuer: github, claims })
    await client.projects.delete.mutate({ project: 'web' })
    const { db } = node.installation.store
    expect(await db.select().from(trustPolicies).where(eq(trustPolicies.projectId, project.id))).toEqual([])
  })
})
