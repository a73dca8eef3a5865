/** Jobs of CI systems exchange identity tokens for JWTs that deploy to one project, and do nothing else. */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../../src/api/client/index.ts'
import { proceduresByName } from '../../../../src/api/server/calls/procedures.ts'
import { sendRequest } from '../../../roles/edge/client.ts'
import { type Answer, apiOf } from '../../../support/api.ts'
import { claimsOf, jwtSecret } from '../../../support/enforcing-node.ts'
import { startIssuer, type TestIssuer } from '../../../support/identity-issuer.ts'
import { startTestNode, type TestNode, unique } from '../../../support/node.ts'
import { newSession } from '../../../support/session.ts'
import { addMember, newTeam } from '../../../support/team.ts'
import { nameOwner } from '../../teams/people.ts'

let issuer: TestIssuer
let node: TestNode

beforeAll(async () => {
  issuer = await startIssuer()
  node = await startTestNode({ SVC_JWT_SECRET: jwtSecret, SVC_OIDC_TRUST: issuer.url })
})

afterAll(async () => {
  await node.stop()
  issuer.close()
})

const files = [{ path: 'index.html', content: 'from CI' }]

/** A team with a project whose policy trusts one repository of the issuer. */
async function newTrusted(targets: ('preview' | 'production')[] = ['preview'], more: object = {}) {
  const team = await newTeam(node)
  const client = createClient({ url: node.apiUrl, token: team.ownerKey, retry: false })
  const project = await client.projects.put.mutate({ project: 'web' })
  const repository = unique('repository')
  const claims = { repository_id: repository, ...more }
  const policy = await client.trust.create.mutate({ project: 'web', issuer: issuer.url, claims, targets })
  const token = (given: object = {}) =>
    issuer.token({ aud: node.apiUrl, repository_id: repository, ...given })
  return { team, client, project, policy, token, repository }
}

type Place = { team: string; project: string }

/** The response to an exchange, without any other credential. */
function exchange(token: string, place: Place): Promise<Answer> {
  return apiOf(node)('POST', '/v1/token', { oidc_token: token, ...place })
}

/** The API with the JWT that an identity token was exchanged for. */
async function jobOf(site: Awaited<ReturnType<typeof newTrusted>>) {
  const { status, body } = await exchange(await site.token(), { team: site.team.slug, project: 'web' })
  expect(status, JSON.stringify(body)).toBe(200)
  return { api: apiOf(node, body.token), token: String(body.token), expiresMs: Number(body.expires_ms) }
}

describe('an identity token', () => {
  it('is exchanged for a JWT of at most an hour, with the names or the ids of team and project', async () => {
    const site = await newTrusted()
    const startMs = Date.now()
    const { team, project } = site
    for (const place of [
      { team: team.slug, project: 'web' },
      { team: team.id, project: project.id },
    ]) {
      const { status, body } = await exchange(await site.token(), place)
      expect(status).toBe(200)
      expect(body).toEqual({
        token: expect.any(String),
        token_type: 'Bearer',
        team: team.slug,
        role: 'member',
        expires_ms: expect.any(Number),
      })
      expect(body.expires_ms - startMs).toBeLessThanOrEqual(3_600_000)
      expect(body.expires_ms - startMs).toBeGreaterThan(3_400_000)
      expect(claimsOf(body.token)).toMatchObject({
        sub: team.ownerId,
        tenant: team.id,
        trust: site.policy.id,
      })
    }
    const { data } = await site.client.trust.list.query({ project: 'web' })
    expect(data[0]?.last_used_ms).toBeGreaterThanOrEqual(startMs)
  })

  it('gives the same end when it is exchanged again', async () => {
    const site = await newTrusted()
    const token = await site.token({ iat: Math.floor(Date.now() / 1_000) - 200 })
    const place = { team: site.team.slug, project: 'web' }
    const { body: first } = await exchange(token, place)
    node.clock.aheadMs += 60_000
    const { body: again } = await exchange(token, place)
    node.clock.aheadMs -= 60_000
    expect(again.expires_ms).toBe(first.expires_ms)
  })

  it('is taken by RPC as well, alone and as the single call of a batch', async () => {
    const site = await newTrusted()
    const input = { oidc_token: await site.token(), team: site.team.slug, project: 'web' }
    const alone = await apiOf(node)('POST', '/trpc/tokens.mint', input)
    expect(alone).toMatchObject({ status: 200, body: { result: { data: { team: site.team.slug } } } })
    const batch = await apiOf(node)('POST', '/trpc/tokens.mint?batch=1', { 0: input })
    expect(batch).toMatchObject({ status: 200, body: [{ result: { data: { role: 'member' } } }] })
    const two = await apiOf(node)('POST', '/trpc/tokens.mint,tokens.mint?batch=1', { 0: input, 1: input })
    expect(two.status).toBe(401)
  })

  it('opens nothing but the exchange', async () => {
    const site = await newTrusted()
    const token = await site.token()
    const input = { oidc_token: token, team: site.team.slug, project: 'web', files }
    expect((await apiOf(node)('POST', '/v1/deployments', input)).status).toBe(401)
    expect((await apiOf(node)('POST', '/trpc/deployments.create', input)).status).toBe(401)
    expect((await apiOf(node, token)('GET', '/v1/deployments')).status).toBe(401)
  })

  it('comes without any other credential', async () => {
    const site = await newTrusted()
    const input = { oidc_token: await site.token(), team: site.team.slug, project: 'web' }
    const { token: session } = await newSession(node, site.team.ownerId)
    for (const credential of [site.team.ownerKey, session]) {
      const answer = await apiOf(node, credential)('POST', '/v1/token', input)
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'oidc_token' }] } })
    }
  })

  const day = 86_400
  it.each([
    ['for another audience', { aud: 'https://elsewhere.example' }, /audience/],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 120 }, /expired/],
    ['without an expiry', { exp: undefined }, /exp/],
    ['without the time of its issue', { iat: undefined }, /iat/],
    ['of more than an hour ago', { iat: Math.floor(Date.now() / 1_000) - 3_700, exp: 2 ** 31 }, /too old/],
    ['of the future', { iat: Math.floor(Date.now() / 1_000) + day, exp: 2 ** 31 }, /future/],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1_000) + day }, /nbf/],
    ['of an unknown issuer', { iss: 'https://issuer.example' }, /trusts/],
  ])('%s is refused with what is wrong', async (_, claims, message) => {
    const site = await newTrusted()
    const answer = await exchange(await site.token(claims), { team: site.team.slug, project: 'web' })
    expect(answer).toMatchObject({ status: 401, body: { reason: 'unauthorized' } })
    expect(answer.body.message).toMatch(message)
  })

  it('that somebody else signed, or nobody, is refused', async () => {
    const site = await newTrusted()
    const { team, repository } = site
    const nowS = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer.url, aud: node.apiUrl, repository_id: repository, iat: nowS, exp: nowS + 60 }
    const other = await startIssuer()
    const [, payload] = (await site.token()).split('.')
    const forged = [
      await other.token({ ...claims }),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
        .sign(Buffer.from('the public key, as everybody knows it')),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
      'a.b.c',
      `${'x'.repeat(16_000)}`,
    ]
    other.close()
    for (const token of forged) {
      const { status, body } = await exchange(token, { team: team.slug, project: 'web' })
      expect([status, body.reason]).toEqual([401, 'unauthorized'])
    }
  })

  it('names the field that is missing beside it', async () => {
    const site = await newTrusted()
    const { status, body } = await apiOf(node)('POST', '/v1/token', {
      oidc_token: await site.token(),
      team: site.team.slug,
    })
    expect([status, body.issues]).toEqual([400, [{ path: 'project', message: 'required' }]])
  })
})

describe('a policy', () => {
  it('admits a token that has each of its claims, with exactly their values', async () => {
    const site = await newTrusted(['preview'], { ref: 'refs/heads/main', attempt: '1', protected: 'true' })
    const place = { team: site.team.slug, project: 'web' }
    const met = { ref: 'refs/heads/main', attempt: 1, protected: true }
    expect((await exchange(await site.token(met), place)).status).toBe(200)
    const others = [
      {},
      { ...met, ref: 'refs/heads/main2' },
      { ...met, ref: 'REFS/HEADS/MAIN' },
      { ...met, ref: ['refs/heads/main'] },
      { ...met, ref: { toString: 'refs/heads/main' } },
      { ...met, attempt: null },
      { ...met, repository_id: 'another' },
    ]
    for (const claims of others) {
      const { status, body } = await exchange(await site.token(claims), place)
      expect([status, body.reason], JSON.stringify(claims)).toEqual([403, 'not_trusted'])
    }
  })

  it('admits nobody to another project or team, with one answer for all that is not theirs', async () => {
    const [site, other] = [await newTrusted(), await newTrusted()]
    await site.client.projects.put.mutate({ project: 'shop' })
    const places = [
      { team: other.team.slug, project: 'web' },
      { team: other.team.id, project: other.project.id },
      { team: site.team.slug, project: other.project.id },
      { team: site.team.slug, project: 'shop' },
      { team: site.team.slug, project: 'unknown' },
      { team: 'unknown', project: 'web' },
    ]
    const messages = new Set<string>()
    for (const place of places) {
      const { status, body } = await exchange(await site.token(), place)
      expect([status, body.reason]).toEqual([403, 'not_trusted'])
      messages.add(body.message)
    }
    expect(messages.size).toBe(1)
  })

  it('that allows most is the one that counts', async () => {
    const site = await newTrusted()
    const { client, repository } = site
    const claims = { repository_id: repository, ref: 'refs/heads/main' }
    const targets = ['preview', 'production'] as const
    await client.trust.create.mutate({ project: 'web', issuer: issuer.url, claims, targets: [...targets] })
    const place = { team: site.team.slug, project: 'web' }
    const { body } = await exchange(await site.token({ ref: 'refs/heads/main' }), place)
    const input = { project: 'web', target: 'production', files }
    expect((await apiOf(node, body.token)('POST', '/v1/deployments', input)).status).toBe(200)
  })
})

describe('the JWT of a job', () => {
  it('makes, reads and lists deployments of its project, and reads their build logs', async () => {
    const site = await newTrusted(['preview', 'production'])
    const { api } = await jobOf(site)
    for (const target of ['preview', 'production']) {
      const made = await api('POST', '/v1/deployments', { project: 'web', target, files })
      expect(made.body).toMatchObject({
        target,
        source: { kind: 'oidc', name: new URL(issuer.url).host },
        created_by: site.team.ownerId,
      })
      expect((await api('GET', `/v1/deployments/${made.body.id}`)).status).toBe(200)
      const lines = await api('GET', `/v1/logs?kind=build&deployment=${made.body.id}`)
      expect(lines.status).toBe(200)
    }
    expect((await api('GET', '/v1/deployments')).body.data).toHaveLength(2)
    expect((await api('GET', '/v1/projects/web')).status).toBe(200)
  })

  it('deploys to the targets of its policy alone', async () => {
    const site = await newTrusted()
    const { api } = await jobOf(site)
    const input = { project: 'web', target: 'production', files }
    const answer = await api('POST', '/v1/deployments', input)
    expect(answer).toMatchObject({ status: 403, body: { reason: 'scope' } })
    expect((await site.client.deployments.list.query({})).data).toEqual([])
  })

  it('reads no other lines of the log', async () => {
    const { api } = await jobOf(await newTrusted())
    for (const path of ['/v1/logs', '/v1/logs?kind=request', '/v1/logs?kind=audit']) {
      expect(await api('GET', path)).toMatchObject({ status: 403, body: { reason: 'scope' } })
    }
  })

  it('sees no other project of its team', async () => {
    const site = await newTrusted()
    await site.client.projects.put.mutate({ project: 'shop' })
    const theirs = await site.client.deployments.create.mutate({ project: 'shop', files })
    const { api } = await jobOf(site)
    expect((await api('GET', '/v1/projects/shop')).status).toBe(404)
    expect((await api('GET', `/v1/deployments/${theirs.id}`)).status).toBe(404)
    expect((await api('GET', '/v1/deployments')).body.data).toEqual([])
    expect((await api('POST', '/v1/deployments', { project: 'shop', files })).status).toBe(404)
    expect((await api('POST', '/v1/deployments', { project: 'new', files })).status).toBe(404)
  })

  const opened = [
    'deployments.create',
    'deployments.list',
    'deployments.get',
    'deployments.missing',
    'projects.get',
    'observability.logs',
    'tokens.mint',
  ]
  const closed = [...proceduresByName().values()].filter(({ name }) => !opened.includes(name))

  it.each(closed)('does not call $name', async ({ name, type }) => {
    const { api } = await job()
    const [method, body] = type === 'mutation' ? (['POST', {}] as const) : (['GET'] as const)
    const answer = await api(method, `/trpc/${name}`, body)
    expect([answer.status, answer.body.error.data.reason]).toEqual([403, 'scope'])
  })

  it('mints no other', async () => {
    const site = await newTrusted()
    const { api } = await jobOf(site)
    const input = { oidc_token: await site.token(), team: site.team.slug, project: 'web' }
    for (const body of [{}, input]) {
      expect(await api('POST', '/v1/token', body)).toMatchObject({
        status: 401,
        body: { reason: 'jwt_cannot_mint' },
      })
    }
  })

  it('is no password of git, and no way past the protection of a site', async () => {
    const site = await newTrusted()
    await site.client.projects.put.mutate({ project: 'web', protection: 'all' })
    const { api, token } = await jobOf(site)
    const { body } = await api('POST', '/v1/deployments', { project: 'web', files })
    const basic = Buffer.from(`ci:${token}`).toString('base64')
    const refs = `${node.apiUrl}/git/${site.team.slug}/web.git/info/refs?service=git-receive-pack`
    expect((await fetch(refs, { headers: { authorization: `Basic ${basic}` } })).status).toBe(403)
    const { host, port } = new URL(body.url)
    const seen = await sendRequest(Number(port), host, '/', { authorization: `Bearer ${token}` })
    expect(seen.status).toBe(401)
  })

  it('ends at once with its policy', async () => {
    const site = await newTrusted()
    const { api } = await jobOf(site)
    expect((await api('GET', '/v1/projects/web')).status).toBe(200)
    await site.client.trust.revoke.mutate({ project: 'web', id: site.policy.id })
    expect((await api('GET', '/v1/projects/web')).status).toBe(401)
    const again = await exchange(await site.token(), { team: site.team.slug, project: 'web' })
    expect(again.body.reason).toBe('not_trusted')
  })

  it('ends with the ownership of who made the policy', async () => {
    const site = await newTrusted()
    const second = await addMember(node, site.team, 'owner')
    const { api } = await jobOf(site)
    // Stands for the second one, who has no address.
    const owner = { email: null, role: 'owner' as const }
    const { teams } = createClient({ url: node.apiUrl, token: second.key, retry: false })
    const email = await nameOwner(node, site.team)
    const put = (...makers: { email: string; role: 'owner' | 'member' }[]) =>
      teams.put.mutate({ team: site.team.slug, members: [owner, ...makers] })
    expect((await api('GET', '/v1/projects/web')).status).toBe(200)
    await put({ email, role: 'member' })
    expect((await api('GET', '/v1/projects/web')).status).toBe(401)
    await put({ email, role: 'owner' })
    expect((await api('GET', '/v1/projects/web')).status).toBe(200)
    await put()
    expect((await api('GET', '/v1/projects/web')).status).toBe(401)
  })

  it('ends with its time', async () => {
    const site = await newTrusted()
    const { api, expiresMs } = await jobOf(site)
    node.clock.aheadMs = expiresMs - Date.now()
    try {
      expect((await api('GET', '/v1/projects/web')).status).toBe(401)
    } finally {
      node.clock.aheadMs = 0
    }
  })

  let shared: ReturnType<typeof jobOf> | undefined
  function job(): ReturnType<typeof jobOf> {
    shared ??= newTrusted().then(jobOf)
    return shared
  }
})

describe('without a JWT secret', () => {
  it('nothing is exchanged', async () => {
    const plain = await startTestNode({ SVC_OIDC_TRUST: issuer.url })
    try {
      const answer = await apiOf(plain)('POST', '/v1/token', {
        oidc_token: await issuer.token({ aud: plain.apiUrl }),
        team: 'acme',
        project: 'web',
      })
      expect(answer).toMatchObject({ status: 400, body: { reason: 'jwt_not_configured' } })
    } finally {
      await plain.stop()
    }
  })
})

describe('a policy that binds the branch', () => {
  /** Deploys with an identity token of these claims; a zip goes the same way as JSON. */
  async function bound(given: object) {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey, retry: false })
    await client.projects.put.mutate({ project: 'web' })
    const claims = { repository_id: unique('repository') }
    const policy = { project: 'web', issuer: issuer.url, claims, targets: ['preview' as const] }
    await client.trust.create.mutate({ ...policy, bind_branch: true })
    const token = await issuer.token({ aud: node.apiUrl, ...claims, ...given })
    const { body } = await exchange(token, { team: team.slug, project: 'web' })
    const api = apiOf(node, body.token)
    const deploy = (input: object) => api('POST', '/v1/deployments', { project: 'web', files, ...input })
    return { api, client, claims, deploy, team, token: String(body.token) }
  }

  const scope = { status: 403, body: expect.objectContaining({ reason: 'scope' }) }

  it('lets a job name the branch of its ref, or none, and no other', async () => {
    const { deploy } = await bound({ ref: 'refs/heads/next', ref_type: 'branch' })
    expect((await deploy({ meta: { branch: 'next' } })).body.meta).toMatchObject({ branch: 'next' })
    for (const meta of [{}, { branch: '' }]) expect((await deploy({ meta })).status).toBe(200)
    for (const branch of ['main', 'NEXT', 'refs/heads/next', 'next ']) {
      const answer = await deploy({ meta: { branch } })
      expect(answer).toMatchObject(scope)
      expect(answer.body.message).toContain('the branch next')
    }
  })

  it.each([
    ['a pull request', { ref: 'refs/pull/7/merge', ref_type: 'branch' }],
    ['a tag', { ref: 'refs/tags/main', ref_type: 'tag' }],
    ['a token without a ref', {}],
  ])('lets %s name none', async (_, given) => {
    const { deploy } = await bound(given)
    expect((await deploy({})).status).toBe(200)
    const answer = await deploy({ meta: { branch: 'main' } })
    expect(answer).toMatchObject(scope)
    expect(answer.body.message).toContain('leave meta.branch out')
  })

  it('holds for RPC, and for what is deployed again, which has the metadata that it had', async () => {
    const { api, client, deploy } = await bound({ ref: 'refs/heads/next' })
    const input = { project: 'web', files, meta: { branch: 'main' } }
    expect((await api('POST', '/trpc/deployments.create', input)).status).toBe(403)
    const owned = await client.deployments.create.mutate(input)
    const from = { files: undefined, from: owned.id }
    expect(await deploy(from)).toMatchObject(scope)
    expect((await deploy({ ...from, meta: { branch: 'next' } })).status).toBe(200)
  })

  it('holds as long as the policy says so, whatever the JWT says', async () => {
    const { client, deploy, team, claims } = await bound({ ref: 'refs/heads/next' })
    const { data } = await client.trust.list.query({ project: 'web' })
    expect(data).toMatchObject([{ bind_branch: true }])
    const open = { project: 'web', issuer: issuer.url, claims }
    expect(await client.trust.create.mutate(open)).toMatchObject({ bind_branch: false })
    expect(await deploy({ meta: { branch: 'main' } })).toMatchObject(scope)
    const token = await issuer.token({ aud: node.apiUrl, ...claims, ref: 'refs/heads/next' })
    const { body } = await exchange(token, { team: team.slug, project: 'web' })
    const freely = { project: 'web', files, meta: { branch: 'main' } }
    expect((await apiOf(node, body.token)('POST', '/v1/deployments', freely)).status).toBe(200)
  })
})
