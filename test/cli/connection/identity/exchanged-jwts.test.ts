/** A job of continuous integration deploys with its identity token instead of a key. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../src/api/client/index.ts'
import { jwtSecret } from '../../../support/enforcing-node.ts'
import { type ExchangeProxy, startExchangeProxy } from '../../../support/exchange-proxy.ts'
import { type JobIdentity, startJobIdentity } from '../../../support/job-identity.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { freePort } from '../../../support/ports.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newHome, type Svc } from '../../svc.ts'

let node: TestNode
let team: TestTeam
let job: JobIdentity
let api: ExchangeProxy
let svc: Svc
let work: string

beforeAll(async () => {
  job = await startJobIdentity({})
  api = await startExchangeProxy()
  const port = await freePort()
  node = await startTestNode({
    SVC_URL: api.url,
    SVC_PORT: port,
    SVC_JWT_SECRET: jwtSecret,
    SVC_OIDC_TRUST: job.issuer,
  })
  api.target = `http://127.0.0.1:${port}`
})

afterAll(async () => {
  await node.stop()
  job.close()
  api.close()
})

beforeEach(async () => {
  team = await newTeam(node)
  const owner = createClient({ url: api.target, token: team.ownerKey, retry: false })
  await owner.projects.put.mutate({ project: 'web' })
  const claims = { repository_id: '123' }
  await owner.trust.create.mutate({ project: 'web', issuer: job.issuer, claims })
  job.claims = { repository_id: '123', ref: 'refs/heads/main', user_email: 'a@example.com' }
  Object.assign(job, { requested: [], refuse: undefined })
  Object.assign(api, { issued: [], accepts: () => true, busyOnce: false, refuse: undefined })
  const { svc: run, home } = await newHome()
  work = join(home, 'work')
  await writeFile(join(work, 'index.html'), 'hello')
  svc = (args, options = {}) => run(args, { ...options, env: { ...inJob(), ...options.env } })
})

/** The variables of a job of GitHub Actions with the permission. */
const inJob = () => ({
  GITHUB_ACTIONS: 'true',
  SVC_URL: api.url,
  SVC_TEAM: team.slug,
  ...job.env,
})

const withoutEndpoint = { ACTIONS_ID_TOKEN_REQUEST_URL: '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }

describe('svc deploy in a job without a key', () => {
  it('exchanges one token of the endpoint, for the address of the API, and deploys', async () => {
    const { code, stdout, stderr } = await svc(['deploy', '--project', 'web'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('a preview.') })
    expect(stdout).toMatch(/^http:\S+\n$/)
    expect(job.requested).toEqual([api.url])
    expect(api.issued).toHaveLength(1)
  })

  it('takes the project of svc.json, and the team of --team', async () => {
    const env = { SVC_TEAM: '' }
    expect(await svc(['deploy', '--team', team.slug], { env, cwd: await linked() })).toMatchObject({
      code: 0,
    })
    expect(await svc(['deployments', '--json'])).toMatchObject({ code: 0 })
  })

  it('takes SVC_OIDC_TOKEN, as id_tokens of GitLab set it, before the endpoint', async () => {
    const env = { SVC_OIDC_TOKEN: await job.tokenFor(api.url) }
    expect(await svc(['deploy', '--project', 'web'], { env })).toMatchObject({ code: 0 })
    expect(job.requested).toEqual([])
  })

  it('uses SVC_TOKEN where that is set', async () => {
    const env = { SVC_TOKEN: team.ownerKey }
    expect(await svc(['deploy', '--project', 'web'], { env })).toMatchObject({ code: 0 })
    expect(api.issued).toEqual([])
  })

  it('says which settings of svc.json it may not apply', async () => {
    await writeFile(join(work, 'svc.json'), JSON.stringify({ project: 'web', spa: true }))
    const { code, stderr } = await svc(['deploy'])
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        'svc.json changes settings of web (spa), and this job may only deploy.',
      ),
    })
  })
})

describe('a JWT that is no longer accepted', () => {
  beforeEach(() => {
    api.accepts = (jwt) => jwt !== api.issued[0]
  })

  it('is replaced for a new token of the endpoint', async () => {
    expect(await svc(['deploy', '--project', 'web'])).toMatchObject({ code: 0 })
    expect(job.requested).toHaveLength(2)
    expect(api.issued).toHaveLength(2)
  })

  it('is the end with SVC_OIDC_TOKEN, of which there is no other', async () => {
    const env = { SVC_OIDC_TOKEN: await job.tokenFor(api.url) }
    expect(await svc(['deploy', '--project', 'web'], { env })).toMatchObject({
      code: 3,
      stderr:
        'svc: The JWT for SVC_OIDC_TOKEN is no longer accepted, ' +
        'and the job has no other token: run it again.\n',
    })
    expect(api.issued).toHaveLength(1)
  })

  it('is the end where another is not accepted either', async () => {
    api.accepts = () => false
    expect(await svc(['deploy', '--project', 'web'])).toMatchObject({
      code: 3,
      stderr: 'svc: The server does not accept the JWT that it just issued for the identity token.\n',
    })
    expect(api.issued).toHaveLength(2)
  })
})

describe('svc whoami in a job without a key', () => {
  it('says what the JWT is for', async () => {
    const { stdout } = await svc(['whoami', '--json'], { cwd: await linked() })
    expect(JSON.parse(stdout)).toMatchObject({
      url: api.url,
      source: 'identity token',
      key: null,
      team: team.slug,
      role: 'member',
      expires_ms: expect.any(Number),
    })
    const text = (await svc(['whoami'], { cwd: await linked() })).stdout
    expect(text).toContain(`team\t${team.slug}\n`)
    expect(text).toContain('for the identity token of this job')
  })
})

/** The working directory, which is linked to the project. */
async function linked(): Promise<string> {
  await writeFile(join(work, 'svc.json'), JSON.stringify({ project: 'web' }))
  return work
}

describe('what goes wrong', () => {
  /** The error of a deployment with these variables. */
  async function errorOf(env: Record<string, string>, args = ['--project', 'web']): Promise<string> {
    const { code, stdout, stderr } = await svc(['deploy', ...args], { env })
    expect({ code, stdout }).toEqual({ code: expect.any(Number), stdout: '' })
    expect(code).not.toBe(0)
    return stderr.replaceAll(api.url, 'URL')
  }

  it.each<[string, Record<string, string>, string]>([
    [
      'the permission is missing',
      withoutEndpoint,
      'give the job an identity token (`permissions: id-token: write`',
    ],
    [
      'GitLab sets no token',
      { ...withoutEndpoint, GITHUB_ACTIONS: '', GITLAB_CI: 'true' },
      'give the job an identity token (`id_tokens`, SVC_OIDC_TOKEN with aud: URL), or set SVC_TOKEN.',
    ],
    ['the team is missing', { SVC_TEAM: '' }, "set SVC_TEAM to the team's slug."],
    [
      'SVC_OIDC_TOKEN is something else',
      { SVC_OIDC_TOKEN: 'svc_abc' },
      'SVC_OIDC_TOKEN is not an identity token',
    ],
    ['the address of the endpoint is none', { ACTIONS_ID_TOKEN_REQUEST_URL: 'x' }, 'is no address'],
    ['the endpoint is away', { ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:1/' }, 'does not respond'],
    [
      'the team is another',
      { SVC_TEAM: 'others' },
      'No trust policy of such a project matches the claims of the identity token',
    ],
  ])('is one sentence where %s', async (_what, env, sentence) => {
    expect(await errorOf(env)).toContain(sentence)
  })

  it('is one sentence where the project is missing', async () => {
    expect(await errorOf({}, [])).toContain('for one project: pass --project, or have an svc.json.')
  })

  it('is one sentence where the endpoint refuses', async () => {
    job.refuse = 403
    expect(await errorOf({})).toContain('issued no identity token (status 403). Run the job again.')
  })

  it.each([
    ['expired', () => job.tokenFor(api.url, -60), 'The identity token has expired: request another one.'],
    [
      'for another audience',
      () => job.tokenFor('https://other.test'),
      'The identity token is for another audience: request one for URL.',
    ],
  ])('is the sentence of the server where the token is %s', async (_what, token, sentence) => {
    expect(await errorOf({ SVC_OIDC_TOKEN: await token() })).toBe(
      `svc: URL did not accept the identity token of SVC_OIDC_TOKEN: ${sentence}\n`,
    )
  })

  it('is the sentence of a server without JWTs', async () => {
    api.refuse = { status: 400, reason: 'jwt_not_configured', message: 'This server has no SVC_JWT_SECRET.' }
    expect(await errorOf({})).toBe(
      'svc: URL did not accept the identity token of this job: This server has no SVC_JWT_SECRET.\n',
    )
  })

  it('comes with the claims where no policy matches, without the token or what is personal', async () => {
    job.claims = { ...job.claims, repository_id: '7', environment: 'site', nested: { a: 1 } }
    expect(await errorOf({})).toBe(
      [
        'svc: URL did not accept the identity token of this job: ' +
          'No trust policy of such a project matches the claims of the identity token. ' +
          'An owner of the team makes one with `svc trust add`. The claims that a policy can match are:',
        `iss: ${job.issuer}`,
        'environment: site',
        'ref: refs/heads/main',
        'repository_id: 7',
        '',
      ].join('\n'),
    )
    const { stderr } = await svc(['deploy', '--project', 'web', '--json'])
    expect(JSON.parse(stderr)).toMatchObject({
      reason: 'not_trusted',
      items: [`iss: ${job.issuer}`, ...Array(3).fill(expect.any(String))],
    })
  })

  it('passes: a server that is busy is waited for', async () => {
    api.busyOnce = true
    expect(await svc(['deploy', '--project', 'web'])).toMatchObject({ code: 0 })
  })
})

describe('the server that gets the identity token', () => {
  it('is never the one that svc.json names', async () => {
    await writeFile(join(work, 'svc.json'), JSON.stringify({ project: 'web', server: api.url }))
    expect(await svc(['deploy'], { env: { SVC_URL: '' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`set SVC_URL to ${api.url} to send it the identity token of this job`),
    })
    expect(await svc(['deploy'], { env: { SVC_URL: 'http://127.0.0.1:1' } })).toMatchObject({ code: 2 })
    expect(job.requested).toEqual([])
  })

  it('is never one that --url names beside SVC_URL', async () => {
    const outcome = await svc(['deploy', '--project', 'web', '--url', 'http://127.0.0.1:1'])
    expect(outcome).toMatchObject({ code: 3 })
    expect(job.requested).toEqual([])
  })
})
