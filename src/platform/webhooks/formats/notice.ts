/** An event as a message to people, which each format writes its own way. */
import type { z } from 'zod'
import { auditText } from '../../../lib/audit-text.ts'
import type { EventType } from '../../../lib/names/event-types.ts'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { auditMessage } from '../../../stores/events/audit-message.ts'
import { type EventData, eventData } from '../../../stores/events/types.ts'
import type { DeliveredEvent } from '../delivered-event.ts'

/** Our own words, or those of people and their programs, which each format makes harmless. */
export type Part = string | { said: string }

export type Notice = {
  title: string
  tone: 'good' | 'bad' | 'plain'
  /** Who did what, where: separated by points. */
  facts: Part[]
  /** The message of a program about a failure, and the lines of a log that say why. */
  problem: string | null
  /** A sentence about the next step. */
  advice: string | null
  /** The first is the page of the dashboard, where its address is known. The labels are ours, or hosts. */
  links: { label: string; url: string }[]
}

/** The message about an event, with links below `apiUrl`, if that is known. */
export function noticeOf(event: DeliveredEvent, apiUrl: string | undefined): Notice {
  const pages = apiUrl === undefined ? undefined : `${apiUrl}/${encodeURIComponent(event.team)}`
  const place = { ...event, pages }
  return aboutDeployment(place) ?? aboutDomain(place) ?? aboutAnything(place)
}

/** The title of its message: our words alone. */
export function titleOf(event: DeliveredEvent): string {
  return noticeOf(event, undefined).title
}

type Place = DeliveredEvent & { pages: string | undefined }

/** The data, if it is of this type and of the present shape: older ones are in the log, too. */
function as<S extends z.ZodType>(type: EventType, schema: S, event: DeliveredEvent): z.output<S> | undefined {
  return event.type === type ? schema.safeParse(event.data).data : undefined
}

function aboutDeployment(event: Place): Notice | undefined {
  const failed = as('deployment.error', eventData['deployment.error'], event)
  if (failed) {
    const { deployment } = failed
    const { message = 'There is no reason.', excerpt = [] } = deployment.error ?? {}
    return {
      ...deploymentNotice(event, deployment),
      title: 'Deployment failed',
      tone: 'bad',
      problem: [message, ...excerpt].join('\n'),
      advice: 'The site stays as it was. The page of the deployment has the whole log.',
    }
  }
  const promoted = as('deployment.promoted', eventData['deployment.promoted'], event)
  if (promoted) {
    const title = promoted.rollback ? 'Rolled back' : 'In production'
    return { ...deploymentNotice(event, promoted.deployment), title, tone: 'good' }
  }
  const ready = as('deployment.ready', eventData['deployment.ready'], event)
  return ready && { ...deploymentNotice(event, ready.deployment), title: 'Deployment ready', tone: 'good' }
}

function deploymentNotice(
  { pages, actor }: Place,
  { id, project, target, url, meta }: EventData<'deployment.ready'>['deployment'],
): Omit<Notice, 'title' | 'tone'> {
  const { branch, commit, message } = meta
  return {
    facts: [
      { said: project },
      target,
      ...(actor === null ? [] : [{ said: actor }]),
      ...[branch, commit?.slice(0, 7), message].flatMap((said) => (said ? [{ said }] : [])),
    ],
    problem: null,
    advice: null,
    links: [...pageLink('Deployment', pages, project, 'deployments', id), ...siteLink(url)],
  }
}

function aboutDomain(event: Place): Notice | undefined {
  const failed = as('domain.certificate_failed', eventData['domain.certificate_failed'], event)
  if (failed) {
    return {
      ...domainNotice(event, failed.domain),
      title: 'No certificate for a domain',
      tone: 'bad',
      problem: failed.error.message,
      advice: 'It is tried again by itself. The page of the domain has the records that it needs.',
    }
  }
  const issued = as('domain.certificate_issued', eventData['domain.certificate_issued'], event)
  if (issued) {
    const title = issued.certificate.renewal ? 'Certificate renewed' : 'Certificate issued'
    return { ...domainNotice(event, issued.domain), title, tone: 'good' }
  }
  const lost = as('domain.unverified', eventData['domain.unverified'], event)
  if (lost) {
    return {
      ...domainNotice(event, lost.domain),
      title: 'Domain no longer verified',
      tone: 'bad',
      advice: 'It is not served. Set its records again as its page has them, then verify it there.',
    }
  }
  const verified = as('domain.verified', eventData['domain.verified'], event)
  return verified && { ...domainNotice(event, verified.domain), title: 'Domain verified', tone: 'good' }
}

function domainNotice(
  { pages }: Place,
  { domain, project }: EventData<'domain.verified'>['domain'],
): Omit<Notice, 'title' | 'tone'> {
  return {
    facts: [{ said: domain }, ...(project === null ? [] : [{ said: project }])],
    problem: null,
    advice: null,
    links: [...pageLink('Domain', pages, '~', 'domains', domain), ...siteLink(`https://${domain}`)],
  }
}

/** The sentence of the audit trail. */
function aboutAnything({ type, data, actor, team, pages }: Place): Notice {
  const fields = { type, actor_name: actor }
  const [subject = '', verb = ''] = type.replaceAll('_', ' ').split('.')
  const isTest = type === 'webhook.ping'
  return {
    title: isTest ? 'Test message' : `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${verb}`,
    tone: 'plain',
    facts: isTest
      ? ['Events of this team arrive here', { said: team }]
      : [{ said: auditText({ kind: 'audit', message: auditMessage(type, data), fields }) }],
    problem: null,
    advice: null,
    links: pageLink('Team', pages),
  }
}

/** To a page of the team, or to the team itself, where a name is none that is given today. */
function pageLink(label: string, pages: string | undefined, ...segments: string[]): Notice['links'] {
  if (pages === undefined) return []
  const isPath = segments.every((each) => /^[\w.~-]{1,255}$/.test(each))
  return [{ label, url: isPath ? [pages, ...segments].join('/') : pages }]
}

/** The host says where it leads, in ASCII. */
function siteLink(text: string): { label: string; url: string }[] {
  const url = parseUrl(text)
  return url ? [{ label: url.host, url: url.href }] : []
}
