/** Requests a mail that proves the address of an unproven account. */
import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { claimedAddresses } from '../../stores/db/schema/people.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Mails } from './mails/mails.ts'

/**
 * Mails a link to the address that the account claims.
 * @throws AppError `invalid_input` if the account claims none, or the node sends no mails.
 */
export async function requestProof(
  { store, mails }: { store: Store; mails: Pick<Mails, 'proveAddress'> | undefined },
  userId: string,
): Promise<{ email: string }> {
  const [claim] = await store.db
    .select({ email: claimedAddresses.email })
    .from(claimedAddresses)
    .where(eq(claimedAddresses.userId, userId))
  const { email } = claim ?? {}
  if (!email) throw new AppError('invalid_input', 'The account has no address that is still to be proven.')
  if (!mails) {
    throw new AppError(
      'invalid_input',
      'This server sends no mails. Ask the operator: svc admin user <email>.',
    )
  }
  mails.proveAddress(email)
  return { email }
}
