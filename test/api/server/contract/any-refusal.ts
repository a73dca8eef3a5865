/** Ways to make any operation refuse, for the reasons that several operations have. */

import { eq } from 'drizzle-orm'
import { restProcedures } from '../../../../src/api/server/calls/procedures.ts'
import { newToken } from '../../../../src/platform/callers/token.ts'
import { once } from '../../../../src/platform/idempotency/once.ts'
import { teams } from '../../../../src/stores/db/schema/teams.ts'
import { unique } from '../../../support/node.ts'
import { believed } from '../../../support/removal.ts'
import { newSession } from '../../../support/session.ts'
import { addMember } from '../../../support/team.ts'
import { exchange } from '../raw-http.ts'
import {
  headOf,
  type Refusal,
  refusalOf,
  unknownReference,
  type Way,
  type WayContext,
  type Ways,
} from './ways.ts'

/** A name or id that nothing of the team has. */
const notFound =
  (field: string): Way =>
  (context) => {
    const unknown = unknownReference(context, field)
    if (!unknown) throw new Error(`${context.name} has no reference to a ${field}.`)
    return context.call(unknown)
  }

const withBody =
  (body: string, ...headers: string[]): Way =>
  async (context) =>
    refusalOf(
      await exchange(
        context.node,
        headOf(context, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers]) + body,
      ),
    )

export const json = 'Content-Type: application/json'

/** A session of the team's owner for a team that doesn't exist. */
async function inNoTeam({ own, call, node }: WayContext): Promise<Refusal> {
  const { token } = await newSession(node, own.team.ownerId)
  return call({}, { token, headers: { 'x-svc-team': unique('nobodys') } })
}

/** The same idempotency key with another input, which may be one that would be refused. */
async function reuseKey(context: WayContext): Promise<Refusal> {
  const headers = { 'idempotency-key': unique('key') }
  const first = await context.call({}, { headers })
  if (first.status !== 200) throw new Error(JSON.stringify(first.body))
  const [field = ''] = Object.keys(context.input)
  const other = unknownReference(context) ?? { [field]: `${context.input[field]}s` }
  return context.call(other, { headers })
}

/** While the same call runs elsewhere. */
async function whileRunning({ name, input, own: { team }, node, call }: WayContext): Promise<Refusal> {
  const key = unique('key')
  const { db } = node.installation.store
  const parsed = restProcedures()
    .find((each) => each.name === name)
    ?.input.parse(input)
  const scope = { teamId: team.id, userId: team.ownerId, operation: name, key }
  return new Promise((resolve, reject) => {
    const running = once({ db, nowMs: Date.now, removal: believed(Date.now) }, scope, parsed, async () => {
      resolve(await call({}, { headers: { 'idempotency-key': key } }))
      throw new Error('The other call ends.')
    })
    running.catch(reject)
  })
}

/** With another last character, so that the checksum is wrong. */
function mistype(token: string): string {
  return token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
}

async function asMember({ own, node, call }: WayContext): Promise<Refusal> {
  const { key } = await addMember(node, own.team)
  return call({}, { token: key })
}

/** A session of the team's owner, begun with the password alone. */
async function withoutFactor({ own, node, call }: WayContext): Promise<Refusal> {
  const { db } = node.installation.store
  await db.update(teams).set({ secondFactorRequired: true }).where(eq(teams.id, own.team.id))
  const { token } = await newSession(node, own.team.ownerId)
  return call({}, { token, headers: { 'x-svc-team': own.team.id } })
}

async function fromElsewhere({ own, node, call }: WayContext): Promise<Refusal> {
  const { cookie } = await newSession(node, own.team.ownerId)
  const headers = { cookie, 'x-svc-team': own.team.id, origin: 'https://elsewhere.test' }
  return call({}, { token: null, headers })
}

/** The reasons that are missing here need nodes with other settings or a broken store. */
export const anyRefusal = {
  invalid_input: ({ call }) => call({ nonsense: 1 }),
  invalid_cursor: ({ call }) => call({ cursor: 'nonsense' }),
  malformed_json: withBody('{', json),
  unsupported_content_type: withBody('{}', 'Content-Type: text/plain'),
  unsupported_content_encoding: withBody('{}', json, 'Content-Encoding: gzip'),
  unauthorized: ({ call }) => call({}, { token: newToken() }),
  token_malformed: ({ call }) => call({}, { token: mistype(newToken()) }),
  role_required: asMember,
  second_factor_required: withoutFactor,
  origin_not_allowed: fromElsewhere,
  team_not_found: (context) =>
    unknownReference(context, 'team') ? notFound('team')(context) : inNoTeam(context),
  project_not_found: notFound('project'),
  deployment_not_found: notFound('deployment'),
  domain_not_found: notFound('domain'),
  record_not_found: notFound('record'),
  webhook_not_found: notFound('webhook'),
  key_not_found: notFound('key'),
  idempotency_key_reused: reuseKey,
  idempotency_in_progress: whileRunning,
  body_too_large: async (context) =>
    refusalOf(await exchange(context.node, headOf(context, [json, `Content-Length: ${100 * 1024 * 1024}`]))),
} satisfies Ways
