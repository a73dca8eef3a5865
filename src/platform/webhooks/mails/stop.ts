/** Ends mails by the link in one of them: it belongs to whoever reads the mailbox, signed in or not. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { unseal } from '../../../stores/data-dir/seal.ts'
import type { Database } from '../../../stores/db/database.ts'
import { webhooks } from '../../../stores/db/schema/webhooks.ts'
import type { Store } from '../../../stores/db/store.ts'
import { endMails } from './choices.ts'
import { isStopToken, type Subscription } from './stop-link.ts'

export type StopLink = Subscription & { token: string }

type Deps = { store: Store; webhookKey: Buffer }

/** Passes a valid link, whether or not there still are mails to end. @throws AppError `link_invalid`. */
export async function checkStopLink(
  { store, webhookKey }: Deps,
  { webhook, user, token }: StopLink,
): Promise<void> {
  const sealed = isId('webhook', webhook) ? await readSecret(store.db, webhook) : undefined
  const isValid = sealed && isStopToken(unseal(webhookKey, webhook, sealed), { webhook, user }, token)
  if (isValid) return
  throw new AppError(
    'link_invalid',
    'This link ends no mails: they have ended with their webhook, or the address is not complete.',
  )
}

/** Ends the mails of the link; also if it has before. @throws AppError `link_invalid`. */
export async function stopMails(deps: Deps, link: StopLink): Promise<void> {
  await checkStopLink(deps, link)
  await endMails(deps.store.db, link)
}

async function readSecret(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ sealed: webhooks.sealedSecret })
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.format, 'mail')))
  return row?.sealed
}
