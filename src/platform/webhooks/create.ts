/** Creates a webhook, and sends it a first event. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { seal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../auth/actor.ts'
import { holdOwner } from '../auth/hold-caller.ts'
import type { Remember } from '../idempotency/once.ts'
import { projectNotFound } from '../projects/read.ts'
import { urlProblem } from './guard/url.ts'
import type { NewWebhook } from './input.ts'
import type { WebhookRecord } from './output.ts'
import { readWebhook } from './read.ts'
import { newSecret } from './secret.ts'

const maxWebhooks = 50

type Deps = { store: Store; webhookKey: Buffer; webhooksAllowPrivate: boolean; nowMs: () => number }

/**
 * Creates a webhook of the caller's team; `projects` are names or ids. The response is stored without the
 * secret.
 * @throws AppError `invalid_input`, `project_not_found`, `too_many_webhooks`; as `holdOwner` does.
 */
export async function createWebhook(
  { store, webhookKey, webhooksAllowPrivate, nowMs }: Deps,
  actor: Actor,
  { url, events, projects: references }: NewWebhook,
  remember?: Remember,
): Promise<WebhookRecord & { secret: string }> {
  const problem = urlProblem(url, webhooksAllowPrivate)
  if (problem) throw invalidField('url', problem)
  const { teamId } = actor.principal
  return store.transact(async (tx) => {
    const createdMs = nowMs()
    // Also serializes creations.
    await holdOwner(tx, actor.principal, 'create a webhook')
    await checkRoom(tx, teamId)
    const id = newId('webhook', createdMs)
    const secret = newSecret()
    await tx.insert(webhooks).values({
      id,
      teamId,
      url,
      events,
      projects: references ? await projectIds(tx, teamId, references) : null,
      sealedSecret: seal(webhookKey, id, secret),
      createdMs,
    })
    await recordEvents(tx, { origin: originOf(actor), nowMs: createdMs }, [
      { teamId, type: 'webhook.ping', webhookId: id, data: { webhook: { id, url } } },
    ])
    const webhook = await readWebhook(tx, teamId, id)
    await remember?.(tx, webhook)
    return { ...webhook, secret }
  })
}

async function checkRoom(tx: Database, teamId: string): Promise<void> {
  const there = await tx.$count(webhooks, eq(webhooks.teamId, teamId))
  if (there >= maxWebhooks) {
    throw new AppError('too_many_webhooks', `A team has at most ${maxWebhooks} webhooks. Delete one first.`)
  }
}

async function projectIds(tx: Database, teamId: string, references: string[]): Promise<string[]> {
  const select = (condition: SQL) =>
    tx
      .select({ id: projects.id, name: projects.name })
      .from(projects)
      .where(and(eq(projects.teamId, teamId), condition))
  // Separate queries, since each has its own index.
  const found = await union(
    select(inArray(projects.id, references)),
    select(inArray(projects.name, references)),
  )
  const unknown = references.find((each) => !found.some(({ id, name }) => each === id || each === name))
  if (unknown !== undefined) throw projectNotFound(unknown)
  return found.map(({ id }) => id)
}
