/** Opens what sends mails, where the settings name a server for them. */
import type { Logger } from '../../lib/log/logger.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { createOutbox, type Outbox } from './outbox.ts'

/** Two, so that a team's many invitations delay nobody's new password. */
export type Outboxes = { passwords: Outbox; invitations: Outbox; close(): Promise<void> }

/** Nothing is loaded, and no connection is made, before the first mail. */
export function openOutboxes(settings: Settings, log: Logger): Outboxes | undefined {
  const { SVC_SMTP_URL: server, SVC_SMTP_FROM: from } = settings
  if (!server || !from) return undefined
  const [passwords, invitations] = [createOutbox({ server, from }, log), createOutbox({ server, from }, log)]
  return {
    passwords,
    invitations,
    close: async () => void (await Promise.all([passwords.close(), invitations.close()])),
  }
}
