/** The webhook that the server registers at a forge, through that forge's API. */

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../../../src/api/client/index.ts'
import { openRepositorySecret } from '../../../../src/platform/projects/repository.ts'
import type { Forge as Provider } from '../../../../src/stores/db/schema/project-repositories.ts'
import { projectRepositories } from '../../../../src/stores/db/schema/project-repositories.ts'
import { svcWith } from '../../../cli/svc.ts'
import { eventually } from '../../../support/eventually.ts'
import type { ApiRequest } from '../../../support/git-forge.ts'
import { addMember } from '../../../support/team.ts'
import { type Connected, connect, deliveriesOf, send, startForgeNodes } from '../steps.ts'

vi.setConfig({ testTimeout: 60_000 })

const token = 'ghp_registering'

const places: Record<Provider, { hooks: string; authorization: string; edit: string; right: string }> = {
  github: {
    hooks: '/api/v3/repos/team/site/hooks',
    authorization: `Bearer ${token}`,
    edit: 'PATCH',
    right: 'write webhooks',
  },
  gitea: {
    hooks: '/api/v1/repos/team/site/hooks',
    authorization: `token ${token}`,
    edit: 'PATCH',
    right: 'write:repository',
  },
  gitlab: {
    hooks: '/api/v4/projects/team%2Fsite/hooks',
    authorization: `Bearer ${token}`,
    edit: 'PUT',
    right: 'maintainer',
  },
}

type Hook = Record<string, unknown> & { id: number }

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected
let requests: ApiRequest[]
let hooks: Hook[]
/** Answers instead, where it answers. */
let instead: ((request: ApiRequest) => { status: number; body: unknown } | undefined) | undefined

beforeAll(async () => {
  nodes = await startForgeNodes({ SVC_ROLES: 'api,edge' })
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(() => {
  requests = []
  hooks = []
  instead = undefined
})

/** A project of a forge of this kind, which answers as its API is documented. */
async function start(provider: Provider, git: Record<string, unknown> = {}): Promise<void> {
  const { hooks: list, authorization, edit } = places[provider]
  nodes.forge.switches = {
    api(request) {
      const { method, path } = request
      requests.push(request)
      const other = instead?.(request)
      if (other) return other
      if (request.authorization !== authorization) return { status: 401, body: {} }
      const body = Object(request.body)
      const url = new URL(path, 'https://forge.invalid')
      if (method === 'GET' && url.pathname === list) return { status: 200, body: pageOf(url.searchParams) }
      if (method === 'POST' && path === list) {
        hooks.push({ ...body, id: hooks.length + 1 })
        return { status: 201, body: hooks.at(-1) }
      }
      const known = hooks.find(({ id }) => path === `${list}/${id}`)
      if (method !== edit || !known) return { status: 404, body: {} }
      Object.assign(known, body)
      return { status: 200, body: known }
    },
  }
  site = await connect(nodes.node, nodes.forge, { provider, token, ...git })
}

/** Forges show no secret of a webhook. */
function pageOf(query: URLSearchParams): unknown[] {
  const length = Number(query.get('per_page') ?? query.get('limit'))
  const from = (Number(query.get('page')) - 1) * length
  return hooks.slice(from, from + length).map(({ token: _, config, ...hook }) => {
    const { secret: __, ...others } = Object(config)
    return config === undefined ? hook : { ...hook, config: others }
  })
}

const clientOf = (key = site.team.ownerKey) =>
  createClient({ url: nodes.node.apiUrl, token: key, retry: false })
const register = () => clientOf().git.registerHook.mutate({ project: 'web' })
const refusal = (reason: string, text: string) =>
  expect.objectContaining({
    message: expect.stringContaining(text),
    data: expect.objectContaining({ reason }),
  })

const hookUrl = () => `${nodes.node.apiUrl}/hooks/git/${site.project.id}`
const written = () => requests.filter(({ method }) => method !== 'GET')

/** The secret that the project has. */
async function secretOf(): Promise<string | undefined> {
  const { db } = nodes.node.installation.store
  const { id: projectId } = site.project
  const ofProject = eq(projectRepositories.projectId, projectId)
  const [row] = await db.select().from(projectRepositories).where(ofProject)
  if (!row || row.secretSealed === null) return undefined
  const place = { projectId, url: row.url, kind: 'secret' } as const
  return openRepositorySecret(nodes.node.installation.keys.env, place, row.secretSealed)
}

/** As each forge documents it. */
const bodies: Record<Provider, (url: string, secret: string) => unknown> = {
  github: (url, secret) => ({
    name: 'web',
    active: true,
    events: ['push', 'pull_request', 'delete'],
    config: { url, content_type: 'json', secret, insecure_ssl: '0' },
  }),
  gitea: (url, secret) => ({
    type: 'gitea',
    active: true,
    events: ['push', 'delete', 'pull_request_only', 'pull_request_sync'],
    config: { url, content_type: 'json', secret },
  }),
  gitlab: (url, secret) => ({
    url,
    token: secret,
    push_events: true,
    merge_requests_events: true,
    enable_ssl_verification: true,
  }),
}

describe.each(['github', 'gitea', 'gitlab'] as const)('the webhook at %s', (provider) => {
  it('is made once with the secret of the project, then brought up to date', async () => {
    await start(provider)
    expect(await register()).toEqual({ created: true, hook_url: hookUrl() })
    expect(written()).toMatchObject([
      { method: 'POST', path: places[provider].hooks, body: bodies[provider](hookUrl(), site.secret) },
    ])
    requests = []
    const [hook] = hooks
    if (!hook) throw new Error('There is no webhook.')
    Object.assign(hook, provider === 'gitlab' ? { push_events: false } : { active: false, events: ['push'] })
    expect(await register()).toEqual({ created: false, hook_url: hookUrl() })
    expect(written()).toMatchObject([
      { method: places[provider].edit, path: `${places[provider].hooks}/${hook.id}` },
    ])
    expect(hooks).toMatchObject([bodies[provider](hookUrl(), site.secret)])
  })

  it('is found behind many others, of which none is changed', async () => {
    await start(provider)
    const other = (id: number) => Object(bodies[provider](`${hookUrl()}${id}`, 'a secret of another system'))
    hooks = Array.from({ length: 230 }, (_, at) => ({ ...other(at), id: at + 1 }))
    const before = structuredClone(hooks)
    await register()
    expect(hooks.slice(0, 230)).toEqual(before)
    expect(hooks).toHaveLength(231)
    requests = []
    expect(await register()).toMatchObject({ created: false })
    expect(hooks).toHaveLength(231)
    expect(hooks.slice(0, 230)).toEqual(before)
  })

  it('needs a right of the token, which a refusal names, and then nothing has changed', async () => {
    await start(provider, { secret: null })
    for (const status of [401, 403, 404]) {
      instead = () => ({ status, body: { message: 'A text of the forge.' } })
      const refused = await register().catch((error: unknown) => error)
      expect(refused).toEqual(refusal('invalid_input', places[provider].right))
      expect(refused).toEqual(refusal('invalid_input', `Status ${status}`))
      expect(JSON.stringify([refused, String(refused)])).not.toMatch(/text of the forge|ghp_/)
      expect(await secretOf()).toBe(undefined)
    }
    expect(written()).toEqual([])
  })
})

it('the secret is made where there is none, and is known before the forge has it', async () => {
  await start('github', { secret: null })
  let secret: string | undefined
  nodes.forge.switches.before = async ({ method }) => {
    if (method === 'POST') secret = await secretOf()
  }
  await register()
  expect(secret).toMatch(/^whsec_/)
  expect(hooks).toMatchObject([{ config: { secret } }])
  const { body } = await site.team.owner('GET', '/v1/projects/web')
  expect(body.git).toMatchObject({ secret_set: true })
  const ping = await send({ ...site, secret: secret ?? '' }, 'ping', { zen: 'x', hook_id: 1 })
  expect(ping.status).toBe(202)
  expect(await deliveriesOf(site)).toHaveLength(1)
  const { body: audit } = await site.team.owner('GET', '/v1/logs?kind=audit&limit=1')
  expect(audit.data[0].message).toContain('git')
  expect(JSON.stringify([audit, nodes.node.logged])).not.toMatch(/ghp_|whsec_[^…]/)
})

it('a webhook that the forge refused leaves a secret that the next try uses', async () => {
  await start('gitlab', { secret: null })
  instead = ({ method }) => (method === 'POST' ? { status: 422, body: {} } : undefined)
  await expect(register()).rejects.toEqual(refusal('invalid_input', `able to reach ${hookUrl()}`))
  const secret = await secretOf()
  expect(secret).toMatch(/^whsec_/)
  instead = undefined
  await register()
  expect(hooks).toMatchObject([{ token: secret }])
})

it('409 where the secret is replaced at that moment', async () => {
  await start('github')
  nodes.forge.switches.before = async ({ method }) => {
    if (method !== 'POST') return
    await site.team.owner('PUT', '/v1/projects/web', { git: { secret: 'another-secret-of-it' } })
  }
  await expect(register()).rejects.toEqual(refusal('changed_since', 'again'))
  delete nodes.forge.switches.before
  expect(await register()).toMatchObject({ created: false })
  expect(hooks).toMatchObject([{ config: { secret: 'another-secret-of-it' } }])
})

it('the token goes to no other address, where the repository changes meanwhile', async () => {
  await start('github')
  nodes.forge.switches.before = async () => {
    delete nodes.forge.switches.before
    await site.team.owner('PUT', '/v1/projects/web', { git: { url: 'https://github.com/acme/other' } })
  }
  await expect(register()).rejects.toEqual(refusal('changed_since', 'again'))
  expect(written()).toEqual([])
})

it('400 without a repository or a token, and where the forge can’t be understood or reached', async () => {
  await start('github', { token: null })
  await expect(register()).rejects.toEqual(refusal('invalid_input', 'git.token'))
  await start('github')
  instead = () => ({ status: 200, body: { message: 'no list' } })
  await expect(register()).rejects.toEqual(refusal('invalid_input', 'not what the forge documents'))
  await site.team.owner('PUT', '/v1/projects/web', { git: { url: null } })
  await expect(register()).rejects.toEqual(refusal('invalid_input', 'git.url'))
})

it('is for owners', async () => {
  await start('github')
  const { key } = await addMember(nodes.node, site.team)
  await expect(clientOf(key).git.registerHook.mutate({ project: 'web' })).rejects.toEqual(
    refusal('role_required', ''),
  )
  expect(requests).toEqual([])
})

it('a team has two under way at once, and those whose caller left end', async () => {
  await start('github')
  const leaving = new AbortController()
  let held = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  nodes.forge.switches.before = () => {
    held += 1
    return released
  }
  const options = { signal: leaving.signal }
  const waiting = [1, 2].map(() =>
    clientOf()
      .git.registerHook.mutate({ project: 'web' }, options)
      .catch(() => 'left'),
  )
  await eventually(() => expect(held).toBe(2))
  await expect(register()).rejects.toEqual(refusal('too_many_waiting', 'Try it again'))
  leaving.abort()
  expect(await Promise.all(waiting)).toEqual(['left', 'left'])
  delete nodes.forge.switches.before
  await eventually(async () => expect(await register()).toMatchObject({ created: true }))
  release()
})

it('is registered by `svc git connect --register` and `svc git register`', async () => {
  await start('gitea', { secret: null })
  const svc = await svcWith(nodes.node, site.team.ownerKey)
  const at = [nodes.forge.url, '--provider', 'gitea', '--project', 'web']
  const connected = await svc(['git', 'connect', ...at, '--token', '--register'], { input: `${token}\n` })
  expect(connected).toMatchObject({ code: 0, stderr: '' })
  expect(connected.stdout).toContain('The forge has the webhook now: what is pushed there deploys web.\n')
  expect(connected.stdout).toContain('main is fetched and deployed now.\n')
  const again = await svc(['git', 'register', '--project', 'web', '--json'])
  expect(JSON.parse(again.stdout)).toEqual({ created: false, hook_url: hookUrl() })
  expect(hooks).toHaveLength(1)
})
