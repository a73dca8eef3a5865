/** Events as text. */
import type { z } from 'zod'
import { type EventData, type EventType, eventData, eventTypes } from './types.ts'

type Tell = (data: unknown) => string | undefined

/** Formats data of the current shape; older shapes give no message. */
function from<S extends z.ZodType>(schema: S, tell: (data: z.output<S>) => string): Tell {
  return (data) => {
    const known = schema.safeParse(data)
    return known.success ? tell(known.data) : undefined
  }
}

const sentences: Record<EventType, Tell> = {
  'deployment.created': from(
    eventData['deployment.created'],
    ({ deployment: { id, target, project, source } }) =>
      `created ${id} for ${target} of ${project}${byMachine(source)}`,
  ),
  'deployment.ready': from(
    eventData['deployment.ready'],
    ({ deployment: { id, project } }) => `${id} of ${project} is ready`,
  ),
  'deployment.error': from(
    eventData['deployment.error'],
    ({ deployment: { id, project, error } }) =>
      `${id} of ${project} failed: ${error?.message ?? 'no reason'}`,
  ),
  'deployment.canceled': from(
    eventData['deployment.canceled'],
    ({ deployment: { id, project } }) => `canceled ${id} of ${project}`,
  ),
  'deployment.promoted': from(
    eventData['deployment.promoted'],
    ({ deployment: { id, project }, rollback }) =>
      `${rollback ? 'rolled back to' : 'promoted'} ${id} ${rollback ? 'in' : 'to'} production of ${project}`,
  ),
  'deployment.deleted': from(
    eventData['deployment.deleted'],
    ({ deployment: { id, project } }) => `deleted ${id} of ${project}`,
  ),
  'project.created': from(eventData['project.created'], ({ project }) => `created project ${project.name}`),
  'project.updated': from(
    eventData['project.updated'],
    ({ project, changed }) => `changed project ${project.name}: ${changed.join(', ')}`,
  ),
  'project.deleted': from(eventData['project.deleted'], ({ project }) => `deleted project ${project.name}`),
  'domain.created': from(eventData['domain.created'], ({ domain }) => `claimed ${domain.domain}`),
  'domain.verified': from(eventData['domain.verified'], ({ domain }) => `${domain.domain} is verified`),
  'domain.unverified': from(
    eventData['domain.unverified'],
    ({ domain }) => `${domain.domain} is no longer verified`,
  ),
  'domain.certificate_failed': from(
    eventData['domain.certificate_failed'],
    ({ domain, error }) => `no certificate for ${domain.domain}: ${error.message}`,
  ),
  'domain.deleted': from(eventData['domain.deleted'], ({ domain }) => `gave up ${domain.domain}`),
  'record.created': from(eventData['record.created'], ({ record }) => `added ${recordName(record)}`),
  'record.updated': from(eventData['record.updated'], ({ record }) => `changed ${recordName(record)}`),
  'record.deleted': from(eventData['record.deleted'], ({ record }) => `removed ${recordName(record)}`),
  'key.created': from(
    eventData['key.created'],
    ({ key: { name, prefix, role } }) => `made ${role} key ${name} (${prefix})`,
  ),
  'key.revoked': from(
    eventData['key.revoked'],
    ({ key: { name, prefix } }) => `revoked key ${name} (${prefix})`,
  ),
  'hook.created': from(
    eventData['hook.created'],
    ({ hook: { name, project } }) => `made deploy hook ${name} of ${project}`,
  ),
  'hook.revoked': from(
    eventData['hook.revoked'],
    ({ hook: { name, project } }) => `revoked deploy hook ${name} of ${project}`,
  ),
  'trust.created': from(
    eventData['trust.created'],
    ({ policy }) => `made trust policy ${policy.id} of ${policy.project} for ${policy.issuer}`,
  ),
  'trust.revoked': from(
    eventData['trust.revoked'],
    ({ policy }) => `revoked trust policy ${policy.id} of ${policy.project} for ${policy.issuer}`,
  ),
  'git.approved': from(
    eventData['git.approved'],
    ({ pull_request: { project, number, commit } }) =>
      `approved commit ${commit.slice(0, 10)} of pull request ${number} from a fork for ${project}`,
  ),
  'team.updated': from(
    eventData['team.updated'],
    ({ team, changed }) => `changed team ${team.slug}: ${changed.join(', ')}`,
  ),
  'member.added': from(
    eventData['member.added'],
    ({ member }) => `added ${memberName(member)} as ${member.role}`,
  ),
  'member.removed': from(eventData['member.removed'], ({ member }) => `removed ${memberName(member)}`),
  'webhook.ping': from(
    eventData['webhook.ping'],
    ({ webhook: { id, url } }) => `pinged ${id}${url === '' ? '' : ` at ${url}`}`,
  ),
}

/** The hook or CI system that made a deployment, where the line names who answers for that. */
function byMachine(source: EventData<'deployment.created'>['deployment']['source']): string {
  if (source?.kind === 'oidc') return ` by ${source.name}`
  if (source?.kind === 'forge') return ` by a push to ${source.name}`
  return source?.kind === 'hook' ? ` by the deploy hook ${source.name}` : ''
}

function recordName({ type, name, domain }: { type: string; name: string; domain: string }): string {
  return `record ${type} ${name} of ${domain}`
}

function memberName({ user, email }: { user: string | null; email: string | null }): string {
  return email ?? user ?? 'somebody'
}

/** A sentence about an event without its subject, the actor; for unknown data the type's name. */
export function auditMessage(type: string, data: unknown): string {
  const known = eventTypes.find((each) => each === type)
  return (known && sentences[known](data)) ?? type
}
