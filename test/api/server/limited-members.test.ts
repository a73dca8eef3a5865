/** Every procedure, by a member who is limited to one of a team's two projects, and by a key that is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { dumpTables } from '../../support/dump.ts'
import { addLimited, newLimitedKey } from '../../support/limits.ts'
import type { TestNode } from '../../support/node.ts'
import { addMember } from '../../support/team.ts'
import { type Answer, callRest, callRpc, isOperation } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

let node: TestNode

beforeAll(async () => {
  // No other tests' rows, and no worker: only these calls change the database.
  node = await startOwnNode({ SVC_ROLES: 'api,edge' })
})

afterAll(() => node.stop())

const definitions = definitionsOf(appRouter)
const isName = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))
const names = definitions.map(({ name }) => isName.parse(name))
const limitOf = new Map(definitions.map(({ name, meta }) => [name, meta.limited]))
const roleOf = new Map(definitions.map(({ name, meta }) => [name, meta.role]))

function comparable({ status, body }: Answer, reference: string): unknown {
  const text = JSON.stringify({ status, body }).replaceAll(reference, 'it')
  return JSON.parse(text.replaceAll(/req_[0-9a-f]{32}/g, 'req'))
}

it('every procedure for members says what it is for limited ones', () => {
  const undecided = definitions.filter(({ meta }) => meta.role === 'member' && meta.limited === undefined)
  expect(undecided.map(({ name }) => name)).toEqual([])
})

type Limited = (mine: Fixture) => Promise<{ key: string; id?: string }>

describe.each<[string, Limited]>([
  ['a limited member', ({ team, project }) => addLimited(node, team, [project.id])],
  ['a limited key of an owner', ({ team, project }) => newLimitedKey(team, { projects: [project.id] })],
])('%s', (_, newLimited) => {
  /** What the caller sees. */
  let mine: Fixture
  /** Of the same team, with one of everything. */
  let others: Fixture
  let limited: { key: string; id?: string }
  /** A colleague, who is not limited. */
  let colleague: { userId: string }

  beforeAll(async () => {
    mine = await newFixture(node)
    const { owner } = mine.team
    others = await newFixture(node, mine.team)
    for (const { domain, project } of [mine, others]) {
      await owner('PUT', `/v1/domains/${domain.id}`, { project: project.id })
    }
    colleague = await addMember(node, mine.team)
    limited = await newLimited(mine)
  })

  const call = (name: string, input: Record<string, unknown>) =>
    (isOperation(name) ? callRest : callRpc)(node, limited.key, name, input)

  /** All that would tell of the other project, of what is the whole team's, or of other people. */
  const secrets = () => [
    others.project.id,
    others.project.name,
    others.deployment.id,
    others.domain.id,
    others.domain.domain,
    others.record.id,
    others.webhook.id,
    mine.record.id,
    mine.webhook.id,
    mine.key.id,
    colleague.userId,
  ]

  describe('with the ids and names of another project', () => {
    const naming = names.flatMap((name) => {
      const { references } = cases[name]
      return references && !/^(?:teams|invitationLinks)\./.test(name) ? [{ name, references }] : []
    })

    it.each(naming)(
      '$name responds as if they did not exist, and nothing changes',
      async ({ name, references }) => {
        const before = await dumpTables(node)
        for (const { field, value, unknown } of references(others)) {
          const callWith = (reference: string) =>
            call(name, { ...cases[name].input(mine), [field]: reference })
          const foreign = await callWith(value)
          expect(comparable(foreign, value)).toEqual(comparable(await callWith(unknown), unknown))
          expect([cases[name].foreign ?? 404, 403, 404]).toContain(foreign.status)
        }
        expect(await dumpTables(node)).toEqual(before)
      },
    )
  })

  describe('with its own project', () => {
    /** Without a filter for the project, where there may be one: it is for the limit to hold. */
    const widest = (name: ProcedureName) => {
      const { project, ...input } = cases[name].input(mine)
      return [input, { ...input, project }]
    }

    it.each(names.map((name) => ({ name })))(
      '$name tells nothing of the rest of the team',
      async ({ name }) => {
        for (const input of widest(name)) {
          const sent = JSON.stringify(input)
          const answer = JSON.stringify(await call(name, input))
          for (const secret of secrets()) if (!sent.includes(secret)) expect(answer).not.toContain(secret)
        }
      },
    )

    const refused = names.filter(
      (name) => typeof limitOf.get(name) === 'object' || roleOf.get(name) !== 'member',
    )

    it.each(refused.map((name) => ({ name })))('$name is refused, and nothing changes', async ({ name }) => {
      const before = await dumpTables(node)
      const { status } = await call(name, cases[name].input(mine))
      expect([403, 404]).toContain(status)
      expect(await dumpTables(node)).toEqual(before)
    })

    const theirs = names.filter((name) => limitOf.get(name) === 'theirs')

    it.each(theirs.map((name) => ({ name })))('$name answers', async ({ name }) => {
      expect((await call(name, cases[name].input(mine))).status).toBe(cases[name].member ?? 200)
    })
  })
})
