/** Creates a webhook, and sends it a first event. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { noticeEvents } from '../../lib/notice-events.ts'
import { seal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { pingData } from '../../stores/events/ping-data.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import type { Remember } from '../idempotency/once.ts'
import { projectNotFound } from '../projects/read-project.ts'
import { hasSecretAddress, shownAddress } from './formats/format.ts'
import { urlProblem } from './guard/url.ts'
import { readWebhook } from './read-webhook.ts'
import { newSecret } from './secret.ts'
import { endpointData } from './webhook-event.ts'
import type { NewWebhook } from './webhook-input.ts'
import type { WebhookRecord } from './webhook-output.ts'

const maxWebhooks = 50

type Deps = {
  store: Store
  webhookKey: Buffer
  webhooksAllowPrivate: boolean
  /** Undefined where no mail can be sent. */
  mails: object | undefined
  nowMs: () => number
}

/** Whether the operator can allow it. */
const mayBePrivate = (problem: string) => /must be https|must not lead to|must have the port/.test(problem)

const privateHint = ', unless the operator of this server sets SVC_WEBHOOKS_ALLOW_PRIVATE'

/**
 * Creates a webhook of the caller's team; `projects` are names or ids. The response is stored without the
 * secret, which only signed requests have. The address of the others is a secret of another service: it is
 * never read again, either.
 * @throws AppError `invalid_input`, `project_not_found`, `too_many_webhooks`; as `holdOwner` does.
 */
export async function createWebhook(
  { store, webhookKey, webhooksAllowPrivate, mails, nowMs }: Deps,
  actor: Actor,
  { format, url: address, events = [...noticeEvents], projects: references }: NewWebhook,
  remember?: Remember,
): Promise<WebhookRecord & { secret?: string }> {
  if (format === 'mail' && !mails)
    throw invalidField('format', 'mail needs a mail server, which the operator names in SVC_SMTP_URL')
  const problem = address === undefined ? undefined : urlProblem(address, webhooksAllowPrivate)
  if (problem) throw invalidField('url', `${problem}${mayBePrivate(problem) ? privateHint : ''}`)
  const isSecret = hasSecretAddress(format)
  const [url = '', secret = newSecret()] =
    address !== undefined && isSecret ? [shownAddress(address), address] : [address]
  const { teamId } = actor.principal
  return store.transact(async (tx) => {
    const createdMs = nowMs()
    // Also serializes creations.
    await holdOwner(tx, actor.principal, 'create a webhook')
    await checkRoom(tx, teamId)
    const id = newId('webhook', createdMs)
    await tx.insert(webhooks).values({
      id,
      teamId,
      format,
      url,
      events,
      projects: references ? await projectIds(tx, teamId, references) : null,
      sealedSecret: seal(webhookKey, id, secret),
      createdMs,
    })
    await recordEvents(tx, { origin: originOf(actor), nowMs: createdMs }, [
      {
        teamId,
        type: 'webhook.created',
        data: { webhook: endpointData({ id, format, url, events }) },
      },
      { teamId, type: 'webhook.ping', webhookId: id, data: pingData(id, url) },
    ])
    const webhook = await readWebhook(tx, teamId, id)
    await remember?.(tx, webhook)
    return format === 'standard' ? { ...webhook, secret } : webhook
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
