/** Every procedure, by every caller: with resources of their own team, of another team, and of none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { dumpTables } from '../../support/dump.ts'
import type { TestNode } from '../../support/node.ts'
import { isShort } from '../../support/short.ts'
import { addMember } from '../../support/team.ts'
import { type Answer, type Call, callRest, callRpc, isOperation } from './call-procedure.ts'
import { cases, type Fixture, forOwners, newFixture, type ProcedureName } from './every-procedure.ts'

let node: TestNode
/** The team that others try to reach. */
let victim: Fixture
/** The others, with one of everything too. */
let stranger: Fixture

beforeAll(async () => {
  // No other tests' rows, and no worker: only these calls change the database.
  node = await startOwnNode({ SVC_ROLES: 'api,edge' })
  victim = await newFixture(node)
  stranger = await newFixture(node)
})

afterAll(() => node.stop())

const procedures = z
  .array(z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name)))
  .parse(Object.keys(appRouter._def.procedures))

/** A response without what differs between any two, and with one placeholder for the requested id. */
function comparable({ status, headers, body }: Answer, referenceText: string): unknown {
  const { date, 'x-request-id': _id, 'content-length': _length, ratelimit: _left, ...rest } = headers
  const text = JSON.stringify({ status, rest, body }).replaceAll(referenceText, 'it')
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

/** The database's rows before the first test of a suite that changes nothing. */
function dumpBefore(): { rows: Record<string, string[]> } {
  const dump: { rows: Record<string, string[]> } = { rows: {} }
  beforeAll(async () => {
    dump.rows = await dumpTables(node)
  })
  return dump
}

it('every procedure has its case', () => {
  expect(Object.keys(cases).toSorted()).toEqual(procedures.toSorted())
})

describe.each<[string, Call, readonly ProcedureName[]]>([
  ['REST', callRest, procedures.filter(isOperation)],
  ['RPC', callRpc, procedures],
])('%s', (surface, call, names) => {
  // In `npm test`, each procedure is called through one surface: both come from the same definition.
  const isTwice = isShort && surface === 'REST'
  const once = isShort && surface === 'RPC' ? names.filter((name) => !isOperation(name)) : names

  describe('resources of the own team', () => {
    it.each(once)('%s does what the role may', async (name) => {
      const own = await newFixture(node)
      const { input, prepare, owner = 200 } = cases[name]
      const { member = forOwners.includes(name) ? 403 : 200 } = cases[name]
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
    const before = dumpBefore()

    it.each(names)('%s is 401, and nothing changes', async (name) => {
      const { input } = cases[name]
      for (const token of [undefined, 'svc_nonsense']) {
        const answer = await call(node, token, name, input(victim))
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
      expect(await dumpTables(node)).toEqual(before.rows)
    })
  })

  const naming = names.filter((name) => cases[name].references)

  describe.skipIf(isTwice)('resources of another team', () => {
    let member: string
    beforeAll(async () => {
      member = (await addMember(node, stranger.team)).key
    })
    const before = dumpBefore()

    it.each(naming)('%s responds as if they did not exist, and nothing changes', async (name) => {
      const { input, references = () => [], foreign: status = 404 } = cases[name]
      const callers = [stranger.team.ownerKey, member]
      for (const { field, value, unknown } of references(victim)) {
        for (const token of callers) {
          const callWith = (reference: string) =>
            call(node, token, name, { ...input(stranger), [field]: reference })
          const foreign = await callWith(value)
          if (token === stranger.team.ownerKey) expect(foreign.status).toBe(status)
          else expect([status, 403]).toContain(foreign.status)
          expect(comparable(foreign, value)).toEqual(comparable(await callWith(unknown), unknown))
          expect(JSON.stringify(foreign.body)).not.toMatch(/"id":"(dpl|dom)_/)
        }
      }
      expect(await dumpTables(node)).toEqual(before.rows)
    })
  })

  describe.skipIf(isTwice)('procedures without references', () => {
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
      '%s returns nothing of another team',
      async (name) => {
        const text = JSON.stringify(
          await call(node, stranger.team.ownerKey, name, cases[name].input(stranger)),
        )
        for (const id of idsOf(victim)) expect(text).not.toContain(id)
      },
    )
  })

  describe.skipIf(isTwice)('fields that only the service sets', () => {
    const before = dumpBefore()

    it.each(names)('%s refuses them by name, and nothing changes', async (name) => {
      for (const field of ['teamId', 'team_id', 'userId', 'createdAt', 'created_ms', 'plan']) {
        const value = field.startsWith('created') ? 1 : victim.team.id
        const answer = await call(node, stranger.team.ownerKey, name, {
          ...cases[name].input(stranger),
          [field]: value,
        })
        expect({ field, status: answer.status }).toEqual({ field, status: 400 })
        expect(JSON.stringify(answer.body)).toContain(`"path":"${field}"`)
      }
      expect(await dumpTables(node)).toEqual(before.rows)
    })

    it.each(names.filter((name) => !/^tokens\.create/.test(name)))('%s takes no role', async (name) => {
      const input = { ...cases[name].input(stranger), role: 'owner' }
      expect((await call(node, stranger.team.ownerKey, name, input)).status).toBe(400)
    })
  })
})
