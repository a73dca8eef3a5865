/** Events as text. */
import type { z } from 'zod'
import { type LoggedType, loggedTypes } from '../../lib/names/event-types.ts'
import type { Change } from './changes.ts'
import { type EventData, loggedData } from './types.ts'

type Tell = (data: unknown) => string | undefined

/** Formats data of the current shape; older shapes give no message. */
function from<S extends z.ZodType>(schema: S, tell: (data: z.output<S>) => string): Tell {
  return (data) => {
    const known = schema.safeParse(data)
    return known.success ? tell(known.data) : undefined
  }
}

const sentences: Record<LoggedType, Tell> = {
  'deployment.created': from(
    loggedData['deployment.created'],
    ({ deployment: { id, target, project, source } }) =>
      `created ${id} for ${target} of ${project}${byMachine(source)}`,
  ),
  'deployment.ready': from(
    loggedData['deployment.ready'],
    ({ deployment: { id, project } }) => `${id} of ${project} is ready`,
  ),
  'deployment.error': from(
    loggedData['deployment.error'],
    ({ deployment: { id, project, error } }) =>
      `${id} of ${project} failed: ${error?.message ?? 'no reason'}`,
  ),
  'deployment.canceled': from(
    loggedData['deployment.canceled'],
    ({ deployment: { id, project } }) => `canceled ${id} of ${project}`,
  ),
  'deployment.promoted': from(
    loggedData['deployment.promoted'],
    ({ deployment: { id, project }, rollback }) =>
      `${rollback ? 'rolled back to' : 'promoted'} ${id} ${rollback ? 'in' : 'to'} production of ${project}`,
  ),
  'deployment.deleted': from(
    loggedData['deployment.deleted'],
    ({ deployment: { id, project } }) => `deleted ${id} of ${project}`,
  ),
  'project.created': from(
    loggedData['project.created'],
    ({ project, changes }) => `created project ${project.name}${withChanges(changes)}`,
  ),
  'project.updated': from(
    loggedData['project.updated'],
    ({ project: { name }, changed, changes, by }) =>
      `changed project ${name}: ${fromTo(changes, changed)}${byForge(by)}`,
  ),
  'project.deleted': from(loggedData['project.deleted'], ({ project }) => `deleted project ${project.name}`),
  'domain.created': from(
    loggedData['domain.created'],
    ({ domain, changes }) => `claimed ${domain.domain}${withChanges(changes)}`,
  ),
  'domain.updated': from(
    loggedData['domain.updated'],
    ({ domain, changes }) => `changed domain ${domain.domain}: ${fromTo(changes)}`,
  ),
  'domain.verified': from(loggedData['domain.verified'], ({ domain }) => `${domain.domain} is verified`),
  'domain.unverified': from(
    loggedData['domain.unverified'],
    ({ domain }) => `${domain.domain} is no longer verified`,
  ),
  'domain.certificate_issued': from(
    loggedData['domain.certificate_issued'],
    ({ domain, certificate: { not_after_ms, renewal } }) =>
      `the certificate for ${domain.domain} was ${renewal ? 'renewed' : 'issued'}, until ` +
      new Date(not_after_ms).toISOString().slice(0, 10),
  ),
  'domain.certificate_failed': from(
    loggedData['domain.certificate_failed'],
    ({ domain, error }) => `no certificate for ${domain.domain}: ${error.message}`,
  ),
  'domain.deleted': from(loggedData['domain.deleted'], ({ domain }) => `gave up ${domain.domain}`),
  'record.created': from(loggedData['record.created'], ({ record }) => `added ${recordName(record)}`),
  'record.updated': from(
    loggedData['record.updated'],
    ({ record, changes }) => `changed ${recordName(record)}${withChanges(changes)}`,
  ),
  'record.deleted': from(loggedData['record.deleted'], ({ record }) => `removed ${recordName(record)}`),
  'key.created': from(
    loggedData['key.created'],
    ({ key: { name, prefix, role }, by }) => `made ${role} key ${name} (${prefix})${byOperator(by)}`,
  ),
  'key.revoked': from(
    loggedData['key.revoked'],
    ({ key: { name, prefix } }) => `revoked key ${name} (${prefix})`,
  ),
  'key.limited': from(
    loggedData['key.limited'],
    ({ key: { name, prefix }, limits }) => `limited key ${name} (${prefix}) ${keyLimitsText(limits)}`,
  ),
  'key.expired': from(
    loggedData['key.expired'],
    ({ key: { name, prefix } }) => `the time of key ${name} (${prefix}) is over`,
  ),
  'server.restarted': from(
    loggedData['server.restarted'],
    ({ project }) => `restarted the servers of ${project.name}`,
  ),
  'hook.created': from(
    loggedData['hook.created'],
    ({ hook: { name, project } }) => `made deploy hook ${name} of ${project}`,
  ),
  'hook.revoked': from(
    loggedData['hook.revoked'],
    ({ hook: { name, project } }) => `revoked deploy hook ${name} of ${project}`,
  ),
  'trust.created': from(
    loggedData['trust.created'],
    ({ policy }) => `made trust policy ${policy.id} of ${policy.project} for ${policy.issuer}`,
  ),
  'trust.revoked': from(
    loggedData['trust.revoked'],
    ({ policy }) => `revoked trust policy ${policy.id} of ${policy.project} for ${policy.issuer}`,
  ),
  'git.approved': from(
    loggedData['git.approved'],
    ({ pull_request: { project, number, commit } }) =>
      `approved commit ${commit.slice(0, 10)} of pull request ${number} from a fork for ${project}`,
  ),
  'git.retried': from(
    loggedData['git.retried'],
    ({ delivery: { id, project, event } }) => `had delivery ${id} (${event}) of ${project} tried again`,
  ),
  'git.branch_deleted': from(
    loggedData['git.branch_deleted'],
    ({ branch: { project, name } }) => `deleted branch ${name} of ${project}`,
  ),
  'team.created': from(loggedData['team.created'], ({ team }) => `created team ${team.slug}`),
  'team.updated': from(
    loggedData['team.updated'],
    ({ team, changed, changes, by }) =>
      `changed team ${team.slug}: ${fromTo(changes, changed)}${byOperator(by)}`,
  ),
  'member.added': from(loggedData['member.added'], ({ member }) => {
    // Whoever joins does so by themselves.
    const happened = member.user === null ? 'invited' : 'joined with'
    return `${happened} ${memberName(member)} as ${standingText(member)}`
  }),
  'member.updated': from(
    loggedData['member.updated'],
    ({ member, before }) =>
      `changed ${memberName(member)}: ${standingText(before)} → ${standingText(member)}`,
  ),
  'member.removed': from(loggedData['member.removed'], ({ member }) => `removed ${memberName(member)}`),
  'invitation_link.created': from(
    loggedData['invitation_link.created'],
    ({ invitation_link: { id, email, role } }) => `made invitation link ${id} for ${email} as ${role}`,
  ),
  'invitation_link.revoked': from(
    loggedData['invitation_link.revoked'],
    ({ invitation_link: { id, email, role } }) => `revoked invitation link ${id} for ${email} as ${role}`,
  ),
  'share_link.created': from(
    loggedData['share_link.created'],
    ({ share_link: { id, host, project, expires_ms } }) =>
      `made share link ${id} to ${host} of ${project} until ${new Date(expires_ms).toISOString()}`,
  ),
  'share_link.revoked': from(
    loggedData['share_link.revoked'],
    ({ share_link: { id, host, project } }) => `revoked share link ${id} to ${host} of ${project}`,
  ),
  'webhook.created': from(
    loggedData['webhook.created'],
    ({ webhook }) => `created ${webhookName(webhook)} for ${webhook.events.join(', ')}`,
  ),
  'webhook.updated': from(
    loggedData['webhook.updated'],
    ({ webhook, changes }) => `changed ${webhookName(webhook)}: ${fromTo(changes)}`,
  ),
  'webhook.redelivered': from(
    loggedData['webhook.redelivered'],
    ({ webhook, delivery }) => `sent ${delivery.event} again to ${webhookName(webhook)}`,
  ),
  'webhook.deleted': from(loggedData['webhook.deleted'], ({ webhook }) => `deleted ${webhookName(webhook)}`),
  'webhook.ping': from(
    loggedData['webhook.ping'],
    ({ webhook: { id, url } }) => `pinged ${id}${url === '' ? '' : ` at ${url}`}`,
  ),
}

/** The hook or CI system that made a deployment, where the line names who answers for that. */
function byMachine(source: EventData<'deployment.created'>['deployment']['source']): string {
  if (source?.kind === 'oidc') return ` by ${source.name}`
  if (source?.kind === 'forge') return ` by a push to ${source.name}`
  return source?.kind === 'hook' ? ` by the deploy hook ${source.name}` : ''
}

const byOperator = (by: 'operator' | undefined) => (by === undefined ? '' : ' as the operator')

const byForge = (by: 'forge' | undefined) => (by === undefined ? '' : ', as the forge says')

/** How many fields of a change a sentence has, and how much of a value. */
const shownFields = 5
const shownCharacters = 60

/** `spa (false → true), env`: the fields, with what is known of them; `names` are all. */
function fromTo(changes: Change[] = [], names: string[] = []): string {
  const known = changes
    .slice(0, shownFields)
    .map(({ field, before, after }) => `${field} (${valueText(before)} → ${valueText(after)})`)
  const left = changes.length - known.length
  const others = names.filter((name) => !changes.some(({ field }) => field.split('.')[0] === name))
  return [...known, ...(left > 0 ? [`and ${left} more`] : []), ...others].join(', ')
}

const withChanges = (changes: Change[] = []) => (changes.length > 0 ? `: ${fromTo(changes)}` : '')

function valueText(value: string | null): string {
  if (value === null) return 'none'
  const characters = [...value]
  return characters.length <= shownCharacters ? value : `${characters.slice(0, shownCharacters).join('')}…`
}

function standingText({ role, limited }: { role: string; limited?: string[] | null | undefined }): string {
  if (!limited) return role
  return `${role} of ${limited.length === 0 ? 'no project' : listText(limited)}`
}

function keyLimitsText({ expires_ms, projects, read_only }: EventData<'key.limited'>['limits']): string {
  const parts = [
    ...(read_only ? ['to reading'] : []),
    ...(projects ? [`to ${listText(projects)}`] : []),
    ...(expires_ms === null ? [] : [`until ${new Date(expires_ms).toISOString()}`]),
  ]
  return parts.join(', ')
}

function listText(names: string[]): string {
  const left = names.length - shownFields
  return `${names.slice(0, shownFields).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function webhookName({ id, format, host }: { id: string; format: string; host: string | null }): string {
  return `webhook ${id}${host === null ? ` (${format})` : ` at ${host}`}`
}

function recordName({ type, name, domain }: { type: string; name: string; domain: string }): string {
  return `record ${type} ${name} of ${domain}`
}

function memberName({ user, email }: { user: string | null; email: string | null }): string {
  return email ?? user ?? 'somebody'
}

/** A sentence about an event without its subject, the actor; for unknown data the type's name. */
export function auditMessage(type: string, data: unknown): string {
  const known = loggedTypes.find((each) => each === type)
  return (known && sentences[known](data)) ?? type
}
