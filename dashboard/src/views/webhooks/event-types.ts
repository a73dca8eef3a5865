/** The events that a webhook can receive. */
import type { Inputs } from '@/lib/api'

export type EventType = NonNullable<Inputs['webhooks']['create']['events']>[number]

/** Every type once: the compiler reports one that is missing. */
const all: Record<EventType, true> = {
  'deployment.created': true,
  'deployment.ready': true,
  'deployment.error': true,
  'deployment.canceled': true,
  'deployment.promoted': true,
  'deployment.deleted': true,
  'project.created': true,
  'project.updated': true,
  'project.deleted': true,
  'domain.created': true,
  'domain.updated': true,
  'domain.verified': true,
  'domain.unverified': true,
  'domain.certificate_failed': true,
  'domain.deleted': true,
  'record.created': true,
  'record.updated': true,
  'record.deleted': true,
  'key.created': true,
  'key.revoked': true,
  'hook.created': true,
  'hook.revoked': true,
  'trust.created': true,
  'trust.revoked': true,
  'git.approved': true,
  'git.branch_deleted': true,
  'member.added': true,
  'member.updated': true,
  'member.removed': true,
  'invitation_link.created': true,
  'invitation_link.revoked': true,
  'team.created': true,
  'team.updated': true,
  'share_link.created': true,
  'share_link.revoked': true,
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.redelivered': true,
  'webhook.deleted': true,
  'webhook.ping': true,
}

function isEventType(text: string): text is EventType {
  return Object.hasOwn(all, text)
}

/** The types by what they are about: `deployment` → `deployment.ready` … */
export const eventGroups: Map<string, EventType[]> = Map.groupBy(
  Object.keys(all).filter(isEventType),
  (type) => type.split('.')[0] ?? type,
)
