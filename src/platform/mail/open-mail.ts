/** Opens what sends mails, where the settings name a server for them. */
import type { Logger } from '../../lib/log/logger.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { SmtpRoute } from './smtp.ts'

/** Two, so that a team's many invitations delay nobody's new password. */
export type Outboxes = { passwords: Outbox; invitations: Outbox; close(): Promise<void> }

/** The server for mails, and who they are from; undefined where the settings name none. */
export function smtpRouteOf({ SVC_SMTP_URL: server, SVC_SMTP_FROM: from }: Settings): SmtpRoute | undefined {
  return server && from ? { server, from } : undefined
}

/** Nothing is loaded, and no connection is made, before the first mail. */
export function openOutboxes(settings: Settings, log: Logger): Outboxes | undefined {
  const route = smtpRouteOf(settings)
  if (!route) return undefined
  const [passwords, invitations] = [createOutbox(route, log), createOutbox(route, log)]
  return {
    passwords,
    invitations,
    close: async () => void (await Promise.all([passwords.close(), invitations.close()])),
  }
}
