/** Every type of event, with its data. */
import { z } from 'zod'
import type { EventType, LoggedType } from '../../lib/names/event-types.ts'
import { sourceKinds } from '../db/schema/projects.ts'
import { changeSchema } from './changes.ts'

const timeMs = z.int().nonnegative()

const deployment = z.object({
  id: z.string(),
  project: z.string(),
  target: z.enum(['production', 'preview']),
  state: z.enum(['queued', 'building', 'ready', 'error', 'canceled']),
  url: z.string(),
  // Events of earlier versions have none.
  source: z.object({ kind: z.enum(sourceKinds), name: z.string().nullable() }).optional(),
  meta: z.record(z.string(), z.string()),
  error: z
    .object({
      reason: z.string(),
      message: z.string(),
      // Where lines of its log say why.
      excerpt: z.array(z.string()).optional(),
    })
    .nullable(),
  created_by: z.string(),
  created_ms: timeMs,
})

const project = z.object({ id: z.string(), name: z.string() })

const domain = z.object({
  id: z.string(),
  domain: z.string(),
  project: z.string().nullable(),
  verified: z.boolean(),
})

const record = z.object({
  id: z.string(),
  domain: z.string(),
  name: z.string(),
  type: z.string(),
  value: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  weight: z.int().nullable(),
  port: z.int().nullable(),
})

const key = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  role: z.enum(['owner', 'member']),
})

const deployHook = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  branch: z.string().nullable(),
})

const trustPolicy = z.object({
  id: z.string(),
  project: z.string(),
  issuer: z.string(),
  claims: z.record(z.string(), z.string()),
  targets: z.array(z.enum(['production', 'preview'])),
  /** Events of earlier versions don't say. */
  bind_branch: z.boolean().optional(),
})

const pullRequest = z.object({ project: z.string(), number: z.int(), commit: z.string() })

const forgeDelivery = z.object({
  id: z.string(),
  project: z.string(),
  event: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pull_request: z.int().nullable(),
})

const branch = z.object({ project: z.string(), name: z.string() })

const team = z.object({ id: z.string(), slug: z.string(), name: z.string() })

/** The names of the projects of a limit, at most 20; null without one. */
const limited = z.array(z.string()).nullable()

const member = z.object({
  /** Null for a pending invitation. */
  user: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(['owner', 'member']),
  /** Left out by earlier versions, and of removed ones. */
  limited: limited.optional(),
})

/** The role and the limit of a member, or of an invitation. */
const standing = z.object({ role: z.enum(['owner', 'member']), limited })

const invitationLink = z.object({ id: z.string(), email: z.string(), role: z.enum(['owner', 'member']) })

const shareLink = z.object({
  id: z.string(),
  project: z.string(),
  host: z.string(),
  expires_ms: timeMs,
})

const webhook = z.object({ id: z.string(), url: z.string() })

/** Without the path of its address, which may be a secret of its receiver. */
const webhookEndpoint = z.object({
  id: z.string(),
  format: z.string(),
  host: z.string().nullable(),
  events: z.array(z.string()),
})

const delivery = z.object({ id: z.string(), event: z.string() })

/** The objects in events, by their name in `data`. */
export const eventSubjects = {
  deployment,
  project,
  domain,
  record,
  key,
  hook: deployHook,
  policy: trustPolicy,
  pull_request: pullRequest,
  branch,
  team,
  member,
  invitation_link: invitationLink,
  share_link: shareLink,
  webhook,
} as const

const changed = z.array(z.string()).meta({ description: 'The names of the fields' })

const changes = z.array(changeSchema).meta({
  description:
    'What each was before and is after, shortened to 256 bytes; null for none, and `(secret)` for a secret',
})

/** Events of earlier versions have none. */
const laterChanges = changes.optional()

/** Where the operator did it, and no person of the team. */
const by = z.literal('operator').optional()

const when = (description: string) => ({ description })

/** The schema of `data` for each type; its description says when it occurs. */
export const eventData = {
  'deployment.created': z.object({ deployment }).meta(when('A deployment was created')),
  'deployment.ready': z.object({ deployment }).meta(when('A deployment is ready')),
  'deployment.error': z.object({ deployment }).meta(when('A deployment failed; see its error')),
  'deployment.canceled': z.object({ deployment }).meta(when('A deployment was canceled')),
  'deployment.promoted': z
    .object({
      deployment,
      previous: z.string().nullable().meta({ description: 'The deployment that was live before' }),
      rollback: z.boolean().meta({ description: 'Whether this one was live before' }),
    })
    .meta(when("A deployment became its project's production")),
  'deployment.deleted': z.object({ deployment }).meta(when('A deployment was deleted')),
  'project.created': z.object({ project, changes: laterChanges }).meta(when('A project was created')),
  'project.updated': z
    .object({ project, changed, changes: laterChanges, by: z.literal('forge').optional() })
    .meta(when('Settings of a project changed; `by` is `forge` where its repository has moved there')),
  'project.deleted': z.object({ project }).meta(when('A project was deleted, with its deployments')),
  'domain.created': z.object({ domain, changes: laterChanges }).meta(when('The team claimed a domain')),
  'domain.updated': z
    .object({ domain, changes })
    .meta(when('The project, the redirect or the own certificate of a domain changed')),
  'domain.verified': z.object({ domain }).meta(when('A domain was verified')),
  'domain.unverified': z.object({ domain }).meta(when('A domain is no longer verified, and not served')),
  'domain.certificate_issued': z
    .object({ domain, certificate: z.object({ not_after_ms: timeMs, renewal: z.boolean() }) })
    .meta(when('A certificate for a domain was issued, the first one or a renewal')),
  'domain.certificate_failed': z
    .object({ domain, error: z.object({ reason: z.string(), message: z.string() }) })
    .meta(when('A certificate for a domain could not be issued; it is tried again')),
  'domain.deleted': z.object({ domain }).meta(when('A domain was deleted, with its records')),
  'record.created': z.object({ record }).meta(when('A DNS record was created')),
  'record.updated': z.object({ record, changes: laterChanges }).meta(when('A DNS record changed')),
  'record.deleted': z.object({ record }).meta(when('A DNS record was deleted')),
  'key.created': z.object({ key, by }).meta(when('An API key was created')),
  'key.revoked': z.object({ key }).meta(when('An API key was revoked')),
  'hook.created': z.object({ hook: deployHook }).meta(when('A deploy hook was made')),
  'hook.revoked': z.object({ hook: deployHook }).meta(when('A deploy hook was revoked')),
  'trust.created': z.object({ policy: trustPolicy }).meta(when('A trust policy was made')),
  'trust.revoked': z.object({ policy: trustPolicy }).meta(when('A trust policy was revoked')),
  'git.approved': z
    .object({ pull_request: pullRequest })
    .meta(when('A commit of a pull request from a fork was approved, and will be deployed')),
  'git.retried': z
    .object({ delivery: forgeDelivery })
    .meta(when('What a forge sent was tried again by a member, after it had failed')),
  'git.branch_deleted': z
    .object({ branch })
    .meta(when('A branch was deleted by a push or at the forge, with its address')),
  'team.created': z.object({ team }).meta(when('The team was created')),
  'team.updated': z
    .object({ team, changed, changes: laterChanges, by })
    .meta(when('The name, the members or the plan of the team changed')),
  'member.added': z.object({ member }).meta(when('A member was added or invited')),
  'member.updated': z
    .object({ member: member.extend(standing.shape), before: standing })
    .meta(when('The role or the limit of a member or an invitation changed')),
  'member.removed': z.object({ member }).meta(when('A member or an invitation was removed')),
  'invitation_link.created': z
    .object({ invitation_link: invitationLink })
    .meta(when('A link was made with which whoever has it joins as it says')),
  'invitation_link.revoked': z
    .object({ invitation_link: invitationLink })
    .meta(when('The link of an invitation was revoked')),
  'share_link.created': z
    .object({ share_link: shareLink })
    .meta(when('A link was made that opens a protected site to whoever has it')),
  'share_link.revoked': z.object({ share_link: shareLink }).meta(when('A share link was revoked')),
  'webhook.created': z.object({ webhook: webhookEndpoint }).meta(when('A webhook was created')),
  'webhook.updated': z
    .object({ webhook: webhookEndpoint, changes })
    .meta(when('A webhook was enabled again')),
  'webhook.redelivered': z
    .object({ webhook: webhookEndpoint, delivery })
    .meta(when('An event was sent to a webhook again')),
  'webhook.deleted': z.object({ webhook: webhookEndpoint }).meta(when('A webhook was deleted')),
  'webhook.ping': z.object({ webhook }).meta(when('A webhook was created: sent to this webhook only')),
} as const satisfies Record<EventType, z.ZodObject>

/** The data of all that is logged: the types of the audit trail alone are no part of the API's document. */
export const loggedData = {
  ...eventData,
  'key.limited': z
    .object({
      key,
      limits: z.object({
        expires_ms: timeMs.nullable(),
        projects: z.array(z.string()).nullable(),
        read_only: z.boolean(),
      }),
    })
    .meta(when('A key was made that ends by itself, sees only some projects, or changes nothing')),
  'key.expired': z.object({ key }).meta(when('The time of an API key was over')),
  'server.restarted': z.object({ project }).meta(when('The servers of a project were restarted')),
} as const satisfies Record<LoggedType, z.ZodObject>

export type EventData<T extends LoggedType> = z.input<(typeof loggedData)[T]>
