/** Every procedure, with a key that is read-only: no way of its own, by whichever name, changes anything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { dumpTables } from '../../support/dump.ts'
import { newLimitedKey } from '../../support/limits.ts'
import type { TestNode } from '../../support/node.ts'
import { callRest, callRpc, isOperation } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

let node: TestNode
let own: Fixture
let key: string
/** All rows when the suite began. */
let before: Record<string, string[]>

beforeAll(async () => {
  // No other tests' rows, and no worker: only these calls change the database.
  node = await startOwnNode({ SVC_ROLES: 'api,edge' })
  own = await newFixture(node)
  key = (await newLimitedKey(own.team, { role: 'owner', read_only: true })).key
  before = await dumpTables(node)
})

afterAll(() => node.stop())

const isName = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))
const namesOf = (type: 'query' | 'mutation') =>
  definitionsOf(appRouter)
    .filter((definition) => definition.type === type)
    .map(({ name }) => isName.parse(name))

const exchange = 'tokens.mint'
const mutations = namesOf('mutation').filter((name) => name !== exchange)

const rpcRefusal = z.object({ error: z.object({ data: z.object({ reason: z.string() }) }) })

describe('a mutation', () => {
  it('is known: there are many', () => {
    expect(mutations.length).toBeGreaterThan(50)
  })

  it.each(mutations)('%s is 403 by RPC, and nothing changes', async (name) => {
    const { status, body } = await callRpc(node, key, name, cases[name].input(own))
    expect({ status, reason: rpcRefusal.parse(body).error.data.reason }).toEqual({
      status: 403,
      reason: 'scope',
    })
    expect(await dumpTables(node)).toEqual(before)
  })

  it.each(mutations.filter(isOperation))('%s is 403 by REST, and nothing changes', async (name) => {
    const answer = await callRest(node, key, name, cases[name].input(own), { 'idempotency-key': 'read-only' })
    expect(answer).toMatchObject({
      status: 403,
      body: { reason: 'scope', message: expect.stringContaining('read-only') },
    })
    expect(await dumpTables(node)).toEqual(before)
  })

  it('is 403 in a batch, each by itself', async () => {
    const names = ['projects.put', 'tokens.createKey'] as const
    const response = await fetch(`${node.apiUrl}/trpc/${names.join(',')}?batch=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(names.map((name, at) => [at, cases[name].input(own)]))),
    })
    const answers = z.array(rpcRefusal).parse(await response.json())
    expect(answers.map(({ error }) => error.data.reason)).toEqual(['scope', 'scope'])
    expect(await dumpTables(node)).toEqual(before)
  })
})

/** They are of the person, so that keys with limits have none. */
const forUnlimited: readonly string[] = ['teams.invitations']

describe('a query', () => {
  it.each(namesOf('query'))('%s has the answer of any owner, and changes nothing', async (name) => {
    const call = isOperation(name) ? callRest : callRpc
    const input = cases[name].input(own)
    const { status } = await call(node, own.team.ownerKey, name, input)
    const wanted = forUnlimited.includes(name) ? 403 : status
    expect((await call(node, key, name, input)).status).toBe(wanted)
    expect(await dumpTables(node)).toEqual(before)
  })
})
