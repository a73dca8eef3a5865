/** A new user with a personal team. */
import { eq } from 'drizzle-orm'
import { newId } from '../../lib/ids.ts'
import { toDisplayText } from '../../lib/names/display-text.ts'
import type { Database } from '../../stores/db/database.ts'
import { claimedAddresses, personLinks } from '../../stores/db/schema/people.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { takeAddress } from './take-address.ts'
import { teamNameFor } from './team-name.ts'
import { slugsFor } from './team-slug.ts'

/** The longest name from a provider. */
const maxNameLength = 200

export type NewPerson = { id: string; email: string; emailVerified: boolean; name: string }

/**
 * Inserts the user and its personal team, in the caller's transaction. The address must not be another
 * user's; accounts that only claim it lose it. A link that was made for the address when it had no account
 * ends: it must not set the password of this one.
 */
export async function insertPerson(tx: Transaction, person: NewPerson, nowMs: number): Promise<void> {
  const { id, email } = person
  await takeAddress(tx, { email }, nowMs)
  const name = toDisplayText(person.name, maxNameLength) || email
  await tx.insert(users).values({ ...person, name, createdMs: nowMs })
  await tx.delete(personLinks).where(eq(personLinks.email, email))
  await insertPersonalTeam(tx, { id, email, name }, nowMs)
}

/** The same for a user who only claims the address, whoever else has it; no link ends. */
export async function insertClaimant(
  tx: Database,
  { id, email, name }: { id: string; email: string; name: string },
  nowMs: number,
): Promise<void> {
  await tx.insert(users).values({ id, name, createdMs: nowMs })
  await tx.insert(claimedAddresses).values({ userId: id, email })
  await insertPersonalTeam(tx, { id, email, name }, nowMs)
}

async function insertPersonalTeam(
  tx: Database,
  person: { id: string; email: string; name: string },
  nowMs: number,
): Promise<void> {
  const teamId = await insertTeam(tx, person, nowMs)
  await tx.insert(members).values({ teamId, userId: person.id, role: 'owner', joinedMs: nowMs })
}

async function insertTeam(
  tx: Database,
  person: { email: string; name: string },
  nowMs: number,
): Promise<string> {
  for (const slug of slugsFor(person)) {
    const [made] = await tx
      .insert(teams)
      .values({
        id: newId('team', nowMs),
        slug,
        name: teamNameFor(person),
        personal: true,
        createdMs: nowMs,
        updatedMs: nowMs,
      })
      .onConflictDoNothing({ target: teams.slug })
      .returning({ id: teams.id })
    if (made) return made.id
  }
  throw new Error('No slug is left to try.')
}
