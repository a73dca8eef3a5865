/** Registers a project's webhook at the forge of its repository, with the token that the project has. */
import { z } from 'zod'
import { AppError, invalidField } from '../../../lib/errors.ts'
import type { Turns } from '../../../platform/limits/turns.ts'
import type { Store } from '../../../stores/db/store.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { type Actor, originOf } from '../../callers/actor.ts'
import { holdOwner } from '../../callers/hold-caller.ts'
import { forgeHookUrl } from '../../projects/forge-hook.ts'
import { lockProject } from '../../projects/lock-project.ts'
import { findProjectId } from '../../projects/read-project.ts'
import { changeRepository, openRepositorySecret } from '../../projects/repository.ts'
import { newSecret } from '../../webhooks/secret.ts'
import type { ForgeFetch } from '../api/forge-fetch.ts'
import { findRepository, type KnownRepository } from '../find-repository.ts'
import { createHookClient, type Refused } from './hook-client.ts'

export const registeredHookSchema = z.object({
  /** Whether the forge had none that led here. */
  created: z.boolean(),
  hook_url: z.string(),
})

type RegisteredHook = z.infer<typeof registeredHookSchema>

type Deps = {
  store: Store
  apiUrl: string
  envKey: Buffer
  forgeFetchFor: (url: string) => ForgeFetch
  registrations: Turns
  nowMs: () => number
}

/** The time limit of all requests together. */
const timeLimitMs = 30_000

/**
 * Makes the webhook at the forge, or changes the one that leads here. A secret is made where the project has
 * none, and is stored before the forge gets it: whatever ends this halfway, no webhook has a secret that the
 * project doesn't know. Until `signal` aborts.
 * @throws AppError `role_required`, `project_not_found`, `invalid_input` (no repository, no token, or what
 * the forge refused), `changed_since`, `too_many_waiting`; as `holdCaller` does.
 */
export async function registerHook(
  deps: Deps,
  actor: Actor,
  reference: string,
  signal: AbortSignal,
): Promise<RegisteredHook> {
  const { teamId } = actor.principal
  const projectId = await findProjectId(deps.store.lookUps, actor.principal, reference)
  const repository = await findRepository(deps.store.db, projectId)
  if (!repository) throw invalidField('git.url', 'required: the project is connected to no repository')
  const end = deps.registrations.begin(teamId)
  try {
    return await register(deps, actor, repository, signal)
  } finally {
    end()
  }
}

async function register(
  deps: Deps,
  actor: Actor,
  repository: KnownRepository,
  signal: AbortSignal,
): Promise<RegisteredHook> {
  const { provider, url, projectId } = repository
  const hookUrl = forgeHookUrl(deps.apiUrl, projectId)
  const client = createHookClient({
    provider,
    url,
    token: tokenOf(deps, repository),
    fetch: deps.forgeFetchFor(url),
    nowMs: deps.nowMs,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
  })
  // A token that may not is known before anything changes.
  const found = await client.find(hookUrl)
  if ('why' in found) throw notRegistered(found)
  const secret = await secretOf(deps, actor, repository)
  const refused = await client.put(found.id, { url: hookUrl, secret })
  if (refused) throw notRegistered(refused)
  await requireSame(deps, repository, secret)
  return { created: found.id === undefined, hook_url: hookUrl }
}

function notRegistered({ why }: Refused): AppError {
  return invalidField('git.token', `The webhook is not registered. ${why}`)
}

function tokenOf({ envKey }: Deps, { projectId, url, tokenSealed }: KnownRepository): string {
  if (tokenSealed === null) throw invalidField('git.token', 'required: one that may write webhooks')
  return openRepositorySecret(envKey, { projectId, url, kind: 'token' }, tokenSealed)
}

function secretIn({ envKey }: Deps, repository: KnownRepository): string | undefined {
  const { projectId, url, secretSealed } = repository
  if (secretSealed === null) return undefined
  return openRepositorySecret(envKey, { projectId, url, kind: 'secret' }, secretSealed)
}

/** The secret of the project, which is stored by the time that this resolves. */
function secretOf(deps: Deps, actor: Actor, repository: KnownRepository): Promise<string> {
  const { store, envKey } = deps
  const { teamId, userId } = actor.principal
  const nowMs = deps.nowMs()
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'register webhooks')
    const project = await lockProject(tx, actor.principal, repository.projectId)
    const current = await findRepository(tx, project.id)
    if (!current || !isSamePlace(current, repository)) throw changedSince()
    const known = secretIn(deps, current)
    if (known !== undefined) return known
    const secret = newSecret()
    const changes = await changeRepository({ tx, envKey, nowMs, userId }, project.id, { secret })
    tx.announce({ kind: 'project', id: project.id })
    await recordEvents(tx, { origin: originOf(actor), nowMs }, [
      {
        teamId,
        type: 'project.updated',
        projectId: project.id,
        data: { project, changed: ['git'], changes },
      },
    ])
    return secret
  })
}

/** A token is sent only to where it was given for. */
function isSamePlace(one: KnownRepository, other: KnownRepository): boolean {
  return one.url === other.url && one.provider === other.provider && one.tokenSealed === other.tokenSealed
}

/** Somebody may have set another secret while the forge got this one. */
async function requireSame(deps: Deps, repository: KnownRepository, secret: string): Promise<void> {
  const current = await findRepository(deps.store.db, repository.projectId)
  if (!current || !isSamePlace(current, repository) || secretIn(deps, current) !== secret)
    throw changedSince()
}

function changedSince(): AppError {
  const message = 'The repository of the project was changed at the same time. Register the webhook again.'
  return new AppError('changed_since', message)
}
