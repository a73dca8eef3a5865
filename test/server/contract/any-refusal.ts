/** How any operation is brought to refuse for the reasons that several have. */

import { newToken } from '../../../src/auth/token.ts'
import { once } from '../../../src/idempotency/once.ts'
import { restProcedures } from '../../../src/server/calls/procedures.ts'
import { unique } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'
import { newSession } from '../../support/session.ts'
import { addMember } from '../../support/team.ts'
import { exchange } from '../raw-http.ts'
import { type Asked, headOf, type Refusal, refusalOf, unknownReference, type Way, type Ways } from './ways.ts'

/** Nothing that the team has is of this name or id. */
const notFound =
  (field: string): Way =>
  (asked) => {
    const unknown = unknownReference(asked, field)
    if (!unknown) throw new Error(`${asked.name} has no reference to a ${field}.`)
    return asked.ask(unknown)
  }

const withBody =
  (body: string, ...headers: string[]): Way =>
  async (asked) =>
    refusalOf(
      await exchange(
        asked.node,
        headOf(asked, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers]) + body,
      ),
    )

export const json = 'Content-Type: application/json'

/** A session of the team's owner that names a team which isn't there. */
async function inNoTeam({ own, ask, node }: Asked): Promise<Refusal> {
  const { token } = await newSession(node, own.team.ownerId)
  return ask({}, { token, headers: { 'x-svc-team': unique('nobodys') } })
}

/** The same key with another input, which may be one that would be refused. */
async function reuseKey(asked: Asked): Promise<Refusal> {
  const headers = { 'idempotency-key': unique('key') }
  const first = await asked.ask({}, { headers })
  if (first.status !== 200) throw new Error(JSON.stringify(first.body))
  const [field = ''] = Object.keys(asked.input)
  const other = unknownReference(asked) ?? { [field]: `${asked.input[field]}s` }
  return asked.ask(other, { headers })
}

/** While the same call runs elsewhere. */
async function whileRunning({ name, input, own: { team }, node, ask }: Asked): Promise<Refusal> {
  const key = unique('key')
  const { db } = node.installation.store
  const parsed = restProcedures()
    .find((each) => each.name === name)
    ?.input.parse(input)
  const scope = { teamId: team.id, userId: team.ownerId, operation: name, key }
  return new Promise((resolve, reject) => {
    const running = once({ db, nowMs: Date.now, removal: believed(Date.now) }, scope, parsed, async () => {
      resolve(await ask({}, { headers: { 'idempotency-key': key } }))
      throw new Error('The other call ends.')
    })
    running.catch(reject)
  })
}

/** With another last character, which no longer fits to what is before it. */
function mistype(token: string): string {
  return token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
}

async function asMember({ own, node, ask }: Asked): Promise<Refusal> {
  const { key } = await addMember(node, own.team)
  return ask({}, { token: key })
}

async function fromElsewhere({ own, node, ask }: Asked): Promise<Refusal> {
  const { cookie } = await newSession(node, own.team.ownerId)
  const headers = { cookie, 'x-svc-team': own.team.id, origin: 'https://elsewhere.test' }
  return ask({}, { token: null, headers })
}

/** Of the reasons that aren't here some are had on nodes of other settings, or at fault. */
export const anyRefusal = {
  invalid_input: ({ ask }) => ask({ nonsense: 1 }),
  invalid_cursor: ({ ask }) => ask({ cursor: 'nonsense' }),
  malformed_json: withBody('{', json),
  unsupported_content_type: withBody('{}', 'Content-Type: text/plain'),
  unsupported_content_encoding: withBody('{}', json, 'Content-Encoding: gzip'),
  unauthorized: ({ ask }) => ask({}, { token: newToken() }),
  token_malformed: ({ ask }) => ask({}, { token: mistype(newToken()) }),
  role_required: asMember,
  origin_not_allowed: fromElsewhere,
  team_not_found: (asked) => (unknownReference(asked, 'team') ? notFound('team')(asked) : inNoTeam(asked)),
  project_not_found: notFound('project'),
  deployment_not_found: notFound('deployment'),
  domain_not_found: notFound('domain'),
  record_not_found: notFound('record'),
  webhook_not_found: notFound('webhook'),
  key_not_found: notFound('key'),
  idempotency_key_reused: reuseKey,
  idempotency_in_progress: whileRunning,
  body_too_large: async (asked) =>
    refusalOf(await exchange(asked.node, headOf(asked, [json, `Content-Length: ${100 * 1024 * 1024}`]))),
} satisfies Ways
