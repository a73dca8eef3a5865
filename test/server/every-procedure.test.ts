/** Every procedure there is, by every caller: what is own, what is another team's, and what is nobody's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requiredRoles } from '../../src/auth/roles.ts'
import { appRouter } from '../../src/routers/index.ts'
import { startOwnNode } from '../db/own-node.ts'
import { dumpTables } from '../support/dump.ts'
import type { TestNode } from '../support/node.ts'
import { isShort } from '../support/short.ts'
import { addMember } from '../support/team.ts'
import { type Answer, type Call, callRest, callRpc, isOperation } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

let node: TestNode
/** The team that others try to reach. */
let victim: Fixture
/** The others, with one of everything too. */
let stranger: Fixture

beforeAll(async () => {
  // Nobody else's rows, and no worker: what changes is what these calls change.
  node = await startOwnNode({ SVC_ROLES: 'api,edge' })
  victim = await newFixture(node)
  stranger = await newFixture(node)
})

afterAll(() => node.stop())

const procedures = z
  .array(z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name)))
  .parse(Object.keys(appRouter._def.procedures))

/** What an answer says, without what differs between any two, and with one word for what was asked for. */
function said({ status, headers, body }: Answer, asked: string): unknown {
  const { date, 'x-request-id': _id, 'content-length': _length, ratelimit: _left, ...rest } = headers
  const text = JSON.stringify({ status, rest, body }).replaceAll(asked, 'it')
  return JSON.parse(text.replaceAll(/req_[0-9a-f]{32}/g, 'req'))
}

const reasonSchema = z.union([
  z.object({ reason: z.string() }).transform(({ reason }) => reason),
  z
    .object({ error: z.object({ data: z.object({ reason: z.string() }) }) })
    .transform(({ error }) => error.data.reason),
])

function reasonOf({ body }: Answer): string | undefined {
  return reasonSchema.safeParse(body).data
}

it('every procedure has its case', () => {
  expect(procedures.toSorted()).toEqual(Object.keys(requiredRoles).toSorted())
  expect(Object.keys(cases).toSorted()).toEqual(procedures.toSorted())
})

describe.each<[string, Call, readonly ProcedureName[]]>([
  ['REST', callRest, procedures.filter(isOperation)],
  ['RPC', callRpc, procedures],
])('%s', (surface, call, names) => {
  // In short, each procedure is called on one surface: both come from the same definition.
  const isTwice = isShort && surface === 'REST'
  const once = isShort && surface === 'RPC' ? names.filter((name) => !isOperation(name)) : names

  describe('what is own', () => {
    it.each(once)('%s does what the role may', async (name) => {
      const own = await newFixture(node)
      const { input, prepare, owner = 200 } = cases[name]
      const { member = requiredRoles[name] === 'member' ? 200 : 403 } = cases[name]
      const { key } = await addMember(node, own.team)

      const before = await dumpTables(node)
      const asMember = await call(node, key, name, input(own))
      expect(asMember.status).toBe(member)
      if (member === 403) expect(reasonOf(asMember)).toBe('role_required')
      if (member !== 200) expect(await dumpTables(node)).toEqual(before)

      await prepare?.(own)
      expect((await call(node, own.team.ownerKey, name, input(own))).status).toBe(owner)
    })
  })

  describe.skipIf(isTwice)('without a valid credential', () => {
    it.each(names)('%s is 401, and nothing happens', async (name) => {
      const { input } = cases[name]
      const before = await dumpTables(node)
      for (const token of [undefined, 'svc_nonsense']) {
        const answer = await call(node, token, name, input(victim))
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
      expect(await dumpTables(node)).toEqual(before)
    })
  })

  const naming = names.filter((name) => cases[name].references)

  describe.skipIf(isTwice)("another team's", () => {
    it.each(naming)('%s answers as if it were nowhere, and nothing happens', async (name) => {
      const { input, references = () => [], foreign: status = 404 } = cases[name]
      const callers = [stranger.team.ownerKey, (await addMember(node, stranger.team)).key]
      const before = await dumpTables(node)
      for (const { field, value, unknown } of references(victim)) {
        for (const token of callers) {
          const ask = (reference: string) =>
            call(node, token, name, { ...input(stranger), [field]: reference })
          const foreign = await ask(value)
          if (token === stranger.team.ownerKey) expect(foreign.status).toBe(status)
          else expect([status, 403]).toContain(foreign.status)
          expect(said(foreign, value)).toEqual(said(await ask(unknown), unknown))
          expect(JSON.stringify(foreign.body)).not.toMatch(/"id":"(dpl|dom)_/)
        }
      }
      expect(await dumpTables(node)).toEqual(before)
    })
  })

  describe.skipIf(isTwice)('what nobody is asked for', () => {
    const idsOf = ({ team, project, deployment, domain, record, key }: Fixture) => [
      team.id,
      team.ownerId,
      project.id,
      deployment.id,
      domain.id,
      record.id,
      key.id,
    ]

    it.each(names.filter((name) => !cases[name].references))(
      '%s tells nothing of another team',
      async (name) => {
        const text = JSON.stringify(
          await call(node, stranger.team.ownerKey, name, cases[name].input(stranger)),
        )
        for (const id of idsOf(victim)) expect(text).not.toContain(id)
      },
    )
  })

  describe.skipIf(isTwice)('what only the service sets', () => {
    it.each(names)('%s refuses it by name, and nothing happens', async (name) => {
      const before = await dumpTables(node)
      for (const field of ['teamId', 'team_id', 'userId', 'createdAt', 'created_ms', 'plan']) {
        const value = field.startsWith('created') ? 1 : victim.team.id
        const answer = await call(node, stranger.team.ownerKey, name, {
          ...cases[name].input(stranger),
          [field]: value,
        })
        expect({ field, status: answer.status }).toEqual({ field, status: 400 })
        expect(JSON.stringify(answer.body)).toContain(`"path":"${field}"`)
      }
      expect(await dumpTables(node)).toEqual(before)
    })

    it.each(names.filter((name) => name !== 'tokens.createKey'))('%s takes no role', async (name) => {
      const input = { ...cases[name].input(stranger), role: 'owner' }
      expect((await call(node, stranger.team.ownerKey, name, input)).status).toBe(400)
    })
  })
})
