/** Whether a delivery comes from the forge that has the secret. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import { sign, signingKey } from '../../webhooks/secret.ts'
import type { RefusalKind } from '../refusals/kinds.ts'

/** By lower-case names, as Node has them. */
export type DeliveryHeaders = Readonly<Record<string, string | string[] | undefined>>

export type Delivery = {
  provider: Forge
  headers: DeliveryHeaders
  /** The raw bytes, which are what is signed. */
  body: Buffer
  secret: string
  nowMs: number
}

/** With `id`, which a repetition has again, and the name of the event; else why not, for whoever looks. */
export type Verified = { ok: true; id: string; event: string } | ({ ok: false } & Problem)

type Problem = { why: string; kind: RefusalKind }

/** How far the time in a delivery may be off (Standard Webhooks, "Verifying webhook authenticity"). */
const toleranceMs = 5 * 60_000

/** A joined list of several has a comma. */
const idPattern = /^[\x21-\x2b\x2d-\x7e]{1,200}$/
const eventPattern = /^[\w .-]{1,100}$/

const eventHeaders: Record<Forge, string[]> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
}

const deliveryHeaders: Record<Exclude<Forge, 'gitlab'>, string[]> = {
  github: ['x-github-delivery'],
  gitea: ['x-forgejo-delivery', 'x-gitea-delivery', 'x-github-delivery'],
}

const githubSignature = 'x-hub-signature-256'

/** The headers that may have a signature, each with the prefix of its value. */
const signatureHeaders: Record<Exclude<Forge, 'gitlab'>, [name: string, prefix: string][]> = {
  github: [[githubSignature, 'sha256=']],
  gitea: [
    ['x-forgejo-signature', ''],
    ['x-gitea-signature', ''],
    [githubSignature, 'sha256='],
  ],
}

/**
 * Checks what the forge signed with the secret of its webhook; nothing in the body is read. Ids are signed by
 * GitLab's newer form alone: whoever has a delivery of another can repeat it under another id.
 *
 * Sources: GitHub, "Validating webhook deliveries"; Gitea and Forgejo, "Webhooks"; GitLab, "Webhooks", with
 * signing tokens (Standard Webhooks) or secret tokens.
 */
export function verifyDelivery(delivery: Delivery): Verified {
  const { provider, headers, secret } = delivery
  if (signingKey(secret).length === 0) return refuse('The webhook has no secret.', 'no_secret')
  const repeated = relevant(provider).find((name) => Array.isArray(headers[name]))
  if (repeated !== undefined) return refuse(`The header ${repeated} is there more than once.`)
  const problem =
    provider === 'gitlab' ? gitlabProblem(delivery) : digestProblem(delivery, signatureHeaders[provider])
  if (problem) return { ok: false, ...problem }
  const event = first(headers, eventHeaders[provider])
  if (event === undefined || !eventPattern.test(event))
    return refuse(`The header ${eventHeaders[provider].at(-1)} names no event.`)
  const id = idOf(delivery)
  return idPattern.test(id) ? { ok: true, id, event } : refuse('The id of the delivery is malformed.')
}

function refuse(why: string, kind: RefusalKind = 'malformed'): Verified {
  return { ok: false, why, kind }
}

function relevant(provider: Forge): string[] {
  const others =
    provider === 'gitlab'
      ? [...gitlabIds, gitlabEventId, 'webhook-timestamp', 'webhook-signature', 'x-gitlab-token']
      : [...deliveryHeaders[provider], ...signatureHeaders[provider].map(([name]) => name)]
  return [...eventHeaders[provider], ...others]
}

/** All that are there have to match: a wrong one is not made good by another. */
function digestProblem({ headers, body, secret }: Delivery, names: [string, string][]): Problem | undefined {
  const given = names.filter(([name]) => headers[name] !== undefined)
  if (given.length === 0) return unsigned(names.map(([name]) => name))
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  const isRight = given.every(([name, prefix]) => equals(headers[name], `${prefix}${digest}`))
  return isRight ? undefined : notSigned
}

function unsigned(names: string[]): Problem {
  const why = `The delivery has no ${names.join(' or ')}: give the webhook the secret.`
  return { why, kind: 'unsigned' }
}

const notSigned: Problem = {
  why: "The signature is not one by this webhook's secret.",
  kind: 'secret',
}

function gitlabProblem({ headers, body, secret, nowMs }: Delivery): Problem | undefined {
  const signature = headers['webhook-signature']
  if (signature === undefined) {
    const token = headers['x-gitlab-token']
    if (token === undefined) return unsigned(['webhook-signature', 'x-gitlab-token'])
    return equals(token, secret)
      ? undefined
      : { why: "The token is not this webhook's secret.", kind: 'secret' }
  }
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (typeof id !== 'string' || typeof timestamp !== 'string' || !/^[1-9]\d{0,11}$/.test(timestamp))
    return { why: 'The delivery is signed, but has no webhook-id or webhook-timestamp.', kind: 'malformed' }
  const expected = sign(secret, id, Number(timestamp), body)
  const given = String(signature).split(' ')
  if (!given.some((each) => equals(each, expected))) return notSigned
  const isRecent = Math.abs(nowMs - Number(timestamp) * 1_000) <= toleranceMs
  return isRecent
    ? undefined
    : { why: 'The delivery was signed more than 5 minutes from now: check the clocks.', kind: 'clock' }
}

/** The first is GitLab's of a retry, too. */
const gitlabIds = ['webhook-id', 'idempotency-key']

/** Events of one request, such as of two branches in a push, have it in common. */
const gitlabEventId = 'x-gitlab-event-uuid'

function idOf({ provider, headers, body }: Delivery): string {
  const id = first(headers, provider === 'gitlab' ? gitlabIds : deliveryHeaders[provider])
  if (id !== undefined) return id
  const digest = hash('sha256', body)
  const ofEvent = provider === 'gitlab' ? headers[gitlabEventId] : undefined
  return ofEvent === undefined ? `sha256:${digest}` : `${ofEvent}:${digest}`
}

function first(headers: DeliveryHeaders, names: string[]): string | undefined {
  const [value] = names.flatMap((name) => headers[name] ?? [])
  return value
}

/** In a time that says nothing of where they differ, or of their lengths. */
function equals(given: string | string[] | undefined, expected: string): boolean {
  if (typeof given !== 'string') return false
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
