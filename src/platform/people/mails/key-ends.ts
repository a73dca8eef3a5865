/** The mail to a team's owners about keys that will end by themselves. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { keyEnds } from '../../../stores/db/schema/key-ends.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { members, teams, users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { nameInText } from '../../mail/name-in-text.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Mail } from '../../mail/smtp.ts'

type Deps = { store: Store; outbox: Outbox; apiUrl: string | undefined; nowMs: number }

/** Keys in one round, over all teams. */
const perRound = 1_000

/** Keys that one mail names. */
const named = 20

/**
 * Mails the owners of each team whose keys end within a week, with a proven address: one mail for all of its
 * keys. The node that takes a key's notice is the only one that sends it, and no one sends it again, also
 * where the mail server fails.
 */
export async function mailKeyEnds({ store, outbox, apiUrl, nowMs }: Deps): Promise<void> {
  const keys = await takeDue(store, nowMs)
  const teamIds = [...new Set(keys.map(({ teamId }) => teamId))]
  if (teamIds.length === 0) return
  const owners = await store.db
    .select({ teamId: members.teamId, slug: teams.slug, email: users.email })
    .from(members)
    .innerJoin(teams, and(eq(teams.id, members.teamId), isNull(teams.deletedMs)))
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        inArray(members.teamId, teamIds),
        eq(members.role, 'owner'),
        isNotNull(users.email),
        users.emailVerified,
      ),
    )
    .orderBy(asc(members.teamId), asc(users.id))
  for (const { teamId, slug, email } of owners) {
    if (email === null) continue
    const ofTeam = keys.filter((key) => key.teamId === teamId)
    outbox.add(email, (send) => send(mailAbout({ email, slug, apiUrl }, ofTeam)))
  }
}

type EndingKey = { teamId: string; name: string; prefix: string; endsMs: number | null }

const isNotice = eq(keyEnds.step, 'notice')

async function takeDue(store: Store, nowMs: number): Promise<EndingKey[]> {
  return store.transact(async (tx) => {
    const due = await tx
      .select({ keyId: keyEnds.keyId })
      .from(keyEnds)
      .where(and(isNotice, lte(keyEnds.dueMs, nowMs)))
      .orderBy(asc(keyEnds.dueMs))
      .limit(perRound)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    const ids = due.map(({ keyId }) => keyId)
    await tx.delete(keyEnds).where(and(inArray(keyEnds.keyId, ids), isNotice))
    return (
      tx
        .select({
          teamId: apiKeys.teamId,
          name: apiKeys.name,
          prefix: apiKeys.prefix,
          endsMs: apiKeys.expiresMs,
        })
        .from(apiKeys)
        // Of one that has ended meanwhile, the trail says so.
        .where(and(inArray(apiKeys.id, ids), gt(apiKeys.expiresMs, nowMs)))
        .orderBy(asc(apiKeys.expiresMs), asc(apiKeys.id))
    )
  })
}

type Addressee = { email: string; slug: string; apiUrl: string | undefined }

function mailAbout({ email, slug, apiUrl }: Addressee, keys: EndingKey[]): Mail {
  const lines = keys
    .slice(0, named)
    .map(({ name, prefix, endsMs }) => `  ${nameInText(name, 'a key')} (${prefix}), ${timeText(endsMs ?? 0)}`)
  const left = keys.length - named
  const list = [...lines, ...(left > 0 ? [`  and ${left} more`] : [])].join('\n')
  const subject =
    keys.length === 1 ? 'An API key is about to end' : `${keys.length} API keys are about to end`
  const page = apiUrl === undefined ? '' : `\nThe keys of the team:\n${apiUrl}/${slug}/~/settings/keys\n`
  const text = `These API keys of the team ${slug} end within a week:

${list}

Whatever uses one of them is refused from then on. Make another in time, give
it to what needs it, and revoke the old one.
${page}`
  return { to: email, subject, text }
}

const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
