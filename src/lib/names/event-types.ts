/** The types of events, in the order in which they are listed. */
export const eventTypes = [
  'deployment.created',
  'deployment.ready',
  'deployment.error',
  'deployment.canceled',
  'deployment.promoted',
  'deployment.deleted',
  'project.created',
  'project.updated',
  'project.deleted',
  'domain.created',
  'domain.updated',
  'domain.verified',
  'domain.unverified',
  'domain.certificate_issued',
  'domain.certificate_failed',
  'domain.deleted',
  'record.created',
  'record.updated',
  'record.deleted',
  'key.created',
  'key.revoked',
  'hook.created',
  'hook.revoked',
  'trust.created',
  'trust.revoked',
  'git.approved',
  'git.retried',
  'git.branch_deleted',
  'team.created',
  'team.updated',
  'member.added',
  'member.updated',
  'member.removed',
  'invitation_link.created',
  'invitation_link.revoked',
  'share_link.created',
  'share_link.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.redelivered',
  'webhook.deleted',
  'webhook.ping',
] as const

export type EventType = (typeof eventTypes)[number]

/** Types of the audit trail alone: no webhook is sent them. */
const trailTypes = ['key.limited', 'key.expired', 'server.restarted'] as const

/** Every type of the event log. */
export const loggedTypes = [...eventTypes, ...trailTypes] as const

export type LoggedType = (typeof loggedTypes)[number]
