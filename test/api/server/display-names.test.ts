/** Names that people give follow one rule in every call; those of before can be read and changed. */
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { callRpc } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

let node: TestNode
let fixture: Fixture

beforeAll(async () => {
  node = await sharedNode()
  fixture = await newFixture(node)
})

const isName = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))
const objectSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() })

/** Fields of inputs that hold a name or a remark, at the top of the input, where all of them are. */
const named = definitionsOf(appRouter).flatMap(({ name, type, input }) => {
  const { properties = {} } = objectSchema.parse(
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
  )
  const fields = Object.keys(properties).filter((field) =>
    /^(?:name|title|label|comment|remark)$/.test(field),
  )
  return type === 'mutation' ? fields.map((field) => [isName.parse(name), field] as const) : []
})

it('every call that takes a name is known', () => {
  expect(named.map((each) => each.join(' ')).sort()).toEqual([
    'account.addPasskey name',
    'account.renamePasskey name',
    'account.update name',
    'dns.create comment',
    'dns.create name',
    'dns.put comment',
    'dns.put name',
    'hooks.create name',
    'projects.put name',
    'teams.put name',
    'tokens.createKey name',
    'tokens.createLimitedKey name',
  ])
})

const refusal = z.object({
  error: z.object({
    message: z.string(),
    data: z.object({ reason: z.string(), issues: z.array(z.object({ path: z.string() })) }),
  }),
})

/** A zero width space, an override of direction, two lines, a filler, a private character, a tag. */
const bad = ['a\u200bb', '\u202eevil', 'a\nb', 'a\u3164b', 'a\ue000b', 'a\u{e0041}b']

it.each(named)('%s refuses, by its %s, what is hidden or reorders', async (procedure, field) => {
  for (const value of bad) {
    const input = { ...cases[procedure].input(fixture), [field]: value }
    const { status, body } = await callRpc(node, fixture.team.ownerKey, procedure, input)
    const { message, data } = refusal.parse(body).error
    expect({ status, reason: data.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(data.issues.map(({ path }) => path)).toContain(field)
    expect(message).toContain(`${field}: `)
  }
})

it('a name is stored in normalization form C, with single spaces', async () => {
  const { owner, slug } = fixture.team
  const { body: key } = await owner('POST', '/v1/apikeys', { name: '  Zoe\u0308\u00a0 CI ' })
  expect(key.name).toBe('Zoë CI')
  const { body: team } = await owner('PUT', `/v1/teams/${slug}`, { name: 'Cafe\u0301' })
  expect(team.name).toBe('Café')
})

it('rows of before with such names are read, and changed', async () => {
  const { db } = node.installation.store
  const { owner, slug, id, ownerId } = fixture.team
  const before = 'Owner\u202e Two\u200b'
  await db.update(users).set({ name: before }).where(eq(users.id, ownerId))
  await db.update(apiKeys).set({ name: before }).where(eq(apiKeys.teamId, id))
  await db.execute(sql`update teams set name = ${before} where id = ${id}`)
  expect((await owner('GET', `/v1/teams/${slug}`)).body).toMatchObject({ name: before })
  expect((await owner('GET', '/v1/apikeys')).body.data[0]).toMatchObject({ name: before })
  const members = [{ email: null, role: 'owner' }]
  expect((await owner('PUT', `/v1/teams/${slug}`, { members })).body).toMatchObject({ name: before })
  expect((await owner('PUT', `/v1/teams/${slug}`, { name: 'Owners' })).body).toMatchObject({ name: 'Owners' })
  const { api } = await newSession(node, ownerId)
  const renamed = await api('POST', '/trpc/account.update', { name: 'Owner Two' })
  expect(renamed.body.result.data).toMatchObject({ name: 'Owner Two' })
})
