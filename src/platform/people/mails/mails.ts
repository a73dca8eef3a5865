/** The mails to people, each after the response to the request that is its reason. */
import type { Store } from '../../../stores/db/store.ts'
import { createHourly } from '../../mail/hourly.ts'
import type { Outboxes } from '../../mail/open-mail.ts'
import { type Invited, mailInvitation } from './invitation.ts'
import { mailProof } from './proof.ts'
import { mailReset } from './reset.ts'

export type Mails = {
  /** Sends a link to this address, if somebody with a password has it; the caller learns nothing of that. */
  requestReset(email: string): void
  /** Sends a link that proves this address, which an account claims. */
  proveAddress(email: string): void
  /** Sends an invitation that was committed. */
  invite(invited: Invited): void
}

type Options = {
  store: Store
  outboxes: Outboxes
  /** The public address of the API. */
  apiUrl: string
  /** The name of the OpenID provider, if there is one. */
  providerName: string | undefined
  nowMs: () => number
}

/** So that nobody fills somebody else's mailbox. */
const mostToMailbox = 3
const mostOfTeam = 50

export function createMails(options: Options): Mails {
  const { outboxes } = options
  const resets = createHourly(mostToMailbox)
  const proofs = createHourly(mostToMailbox)
  const limits = { ofTeam: createHourly(mostOfTeam), toMailbox: createHourly(mostToMailbox) }
  return {
    requestReset(email) {
      const context = () => ({ ...contextOf(options), limit: resets })
      outboxes.passwords.add(email, (send) => mailReset({ ...context(), send }, email))
    },
    proveAddress(email) {
      const context = () => ({ ...contextOf(options), limit: proofs })
      outboxes.passwords.add(email, (send) => mailProof({ ...context(), send }, email))
    },
    invite(invited) {
      const context = () => ({ ...contextOf(options), limits })
      outboxes.invitations.add(invited.email, (send) => mailInvitation({ ...context(), send }, invited))
    },
  }
}

/** As they are now: the address of the API is known once it listens. */
function contextOf({ store, apiUrl, providerName, nowMs }: Options) {
  return { store, apiUrl, providerName, nowMs: nowMs() }
}
