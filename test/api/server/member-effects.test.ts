/** What a member can delete, by whatever procedure and field: nothing that only owners may delete. */
import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { expirePreviews } from '../../../src/platform/deployments/expire.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { invitations } from '../../../src/stores/db/schema/invitations.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { members, teams } from '../../../src/stores/db/schema/teams.ts'
import { webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { addMember } from '../../support/team.ts'
import { callRpc } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

const dayMs = 24 * 60 * 60 * 1000

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

const fieldSchema = z.object({
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  enum: z.array(z.unknown()).default([]),
  minimum: z.number().default(0),
  maximum: z.number().default(1_000),
  anyOf: z.array(z.unknown()).default([]),
})
const inputSchema = z.object({ properties: z.record(z.string(), z.unknown()).default({}) })

/** Boundary values of a field: the least, the most, each enum value, and none. */
function valuesOf(schema: unknown): unknown[] {
  const { type, enum: few, minimum, maximum, anyOf } = fieldSchema.parse(schema)
  const ofType: Record<string, unknown[]> = {
    null: [null],
    boolean: [true, false],
    integer: [minimum, maximum],
    number: [minimum, maximum],
    array: [[]],
  }
  return [...few, ...type.flatMap((each) => ofType[each] ?? []), ...anyOf.flatMap(valuesOf)]
}

const definitionSchema = z.custom<{ _def: { inputs: z.ZodType[]; type: string } }>(
  (value) => typeof value === 'function' && '_def' in value,
)
const nameSchema = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))

/** Every mutation, with its usual input and then with each of its fields at each of those values. */
function callsOf(own: Fixture): { name: ProcedureName; input: Record<string, unknown> }[] {
  const procedures = z.record(nameSchema, definitionSchema).parse(appRouter._def.procedures)
  return z
    .array(nameSchema)
    .parse(Object.keys(procedures))
    .flatMap((name) => {
      const { inputs, type } = procedures[name]._def
      if (type !== 'mutation' || !inputs[0]) return []
      const json = z.toJSONSchema(inputs[0], { io: 'input', unrepresentable: 'any' })
      const fields = Object.entries(inputSchema.parse(json).properties)
      const usual = cases[name].input(own)
      const varied = fields.flatMap(([field, schema]) =>
        valuesOf(schema).map((value) => ({ [field]: value })),
      )
      return [{}, ...varied].map((change) => ({ name, input: { ...usual, ...change } }))
    })
}

const idsSchema = z.array(z.object({ id: z.string() }))

/** The team's rows that only owners may delete. */
async function kept({ team }: Fixture): Promise<string[]> {
  const { db } = node.installation.store
  const found = await Promise.all([
    db.select({ id: projects.id }).from(projects).where(eq(projects.teamId, team.id)),
    db.select({ id: deployments.id }).from(deployments).where(eq(deployments.teamId, team.id)),
    db.select({ id: domains.id }).from(domains).where(eq(domains.teamId, team.id)),
    db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.teamId, team.id)),
    db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.teamId, team.id)),
    db.select({ id: members.userId }).from(members).where(eq(members.teamId, team.id)),
    db.select({ id: invitations.email }).from(invitations).where(eq(invitations.teamId, team.id)),
    db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.id, team.id), isNull(teams.deletedMs))),
  ])
  return idsSchema.parse(found.flat()).map(({ id }) => id)
}

it('no procedure, with any field value, lets a member delete what only owners may delete', async () => {
  const own = await newFixture(node)
  const { team, project } = own
  await deploy(team, { project: project.name })
  const invited = [
    { email: null, role: 'owner' },
    { email: 'ada@example.com', role: 'member' },
  ]
  await team.owner('PUT', `/v1/teams/${team.slug}`, { members: invited })
  const { key } = await addMember(node, team)
  const before = await kept(own)
  const { store } = node.installation
  const done: string[] = []
  for (const { name, input } of callsOf(own)) {
    const { status } = await callRpc(node, key, name, input)
    if (status !== 200) continue
    done.push(name)
    const nowMs = Date.now() + 4_000 * dayMs
    await expirePreviews({ store, sitesUrl: node.sitesUrl, certifiedUrl: node.certifiedUrl, nowMs })
  }
  // The call itself was allowed and worked.
  expect(done).toEqual(
    expect.arrayContaining(['projects.put', 'domains.put', 'deployments.promote', 'dns.delete']),
  )
  const after = new Set(await kept(own))
  expect(before.filter((id) => !after.has(id))).toEqual([])
})
