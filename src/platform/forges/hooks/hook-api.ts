/**
 * Where the APIs of forges have the webhooks of a repository.
 *
 * Sources: GitHub, "REST API endpoints for repository webhooks"; Gitea's and Forgejo's `/api/swagger`;
 * GitLab, "Project webhooks API".
 */
import { z } from 'zod'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import type { ApiPlace } from '../api/repository-place.ts'
import type { ApiRequest } from '../api/send.ts'

/** A webhook to register: the address of its deliveries, and the secret that signs them. */
export type Hook = { url: string; secret: string }

type KnownHook = { id: number; url: string }

export type HookApi = {
  /** Pages begin with 1. */
  list(page: number): ApiRequest
  /** Those of a page that may be ours, by where they lead, and whether there may be another page. */
  listed: z.ZodType<{ hooks: KnownHook[]; isLast: boolean }>
  create(hook: Hook): ApiRequest
  edit(id: number, hook: Hook): ApiRequest
}

/** The requests for the repository at `place`. */
export function hookApi(provider: Forge, { repository }: ApiPlace): HookApi {
  const hooks = `${repository}/hooks`
  if (provider === 'gitlab') return gitlabHooks(hooks)
  return provider === 'github' ? githubHooks(hooks) : giteaHooks(hooks)
}

const pageLength = 100

/** Gitea gives no more, or less where an operator says so. */
const giteaPageLength = 50

const ofConfig = z.array(
  z.object({ id: z.int(), type: z.string().nullish(), config: z.object({ url: z.string().nullish() }) }),
)

function githubHooks(hooks: string): HookApi {
  const bodyOf = ({ url, secret }: Hook) => ({
    active: true,
    events: ['push', 'pull_request', 'delete'],
    config: { url, content_type: 'json', secret, insecure_ssl: '0' },
  })
  return {
    list: (page) => ({ method: 'GET', url: `${hooks}?per_page=${pageLength}&page=${page}` }),
    listed: ofConfig.transform((page) => ({
      hooks: page.map(({ id, config }) => ({ id, url: config.url ?? '' })),
      isLast: page.length < pageLength,
    })),
    create: (hook) => ({ method: 'POST', url: hooks, body: { name: 'web', ...bodyOf(hook) } }),
    edit: (id, hook) => ({ method: 'PATCH', url: `${hooks}/${id}`, body: bodyOf(hook) }),
  }
}

/** Others send in the form of a chat, which can't be changed. */
const giteaTypes = ['gitea', 'forgejo']

function giteaHooks(hooks: string): HookApi {
  const bodyOf = ({ url, secret }: Hook) => ({
    active: true,
    // `pull_request` would be all that happens to one, comments included.
    events: ['push', 'delete', 'pull_request_only', 'pull_request_sync'],
    config: { url, content_type: 'json', secret },
  })
  return {
    list: (page) => ({ method: 'GET', url: `${hooks}?limit=${giteaPageLength}&page=${page}` }),
    listed: ofConfig.transform((page) => ({
      hooks: page
        .filter(({ type }) => giteaTypes.includes(type ?? ''))
        .map(({ id, config }) => ({ id, url: config.url ?? '' })),
      isLast: page.length === 0,
    })),
    create: (hook) => ({ method: 'POST', url: hooks, body: { type: 'gitea', ...bodyOf(hook) } }),
    edit: (id, hook) => ({ method: 'PATCH', url: `${hooks}/${id}`, body: bodyOf(hook) }),
  }
}

function gitlabHooks(hooks: string): HookApi {
  const bodyOf = ({ url, secret }: Hook) => ({
    url,
    token: secret,
    push_events: true,
    merge_requests_events: true,
    enable_ssl_verification: true,
  })
  return {
    list: (page) => ({ method: 'GET', url: `${hooks}?per_page=${pageLength}&page=${page}` }),
    listed: z.array(z.object({ id: z.int(), url: z.string() })).transform((page) => ({
      hooks: page.map(({ id, url }) => ({ id, url })),
      isLast: page.length < pageLength,
    })),
    create: (hook) => ({ method: 'POST', url: hooks, body: bodyOf(hook) }),
    edit: (id, hook) => ({ method: 'PUT', url: `${hooks}/${id}`, body: bodyOf(hook) }),
  }
}
