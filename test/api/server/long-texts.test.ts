/** A text of any length, in any field, takes a time that grows with its length, and is cut in a refusal. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { isRecord } from '../../../src/lib/is-record.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { callRpc } from './call-procedure.ts'
import { cases, type Fixture, newFixture, type ProcedureName } from './every-procedure.ts'

/** What takes time with the square of this would take half a minute and more. */
const length = 400_000

/** What a program may pause on: marks to put in order, and runs that a pattern tries from each place. */
const texts = {
  marks: `a${'\u0301\u0316'.repeat(length / 2)}`,
  slashes: `https://example.com${'/'.repeat(length)}x`,
  'a host': `https://a${'\u0301\u0316'.repeat(length / 2)}.com/a/b`,
  'a record of a zone': `a${'\u0301\u0316'.repeat(length / 2)} 60 IN TXT x`,
  spaces: `a${' '.repeat(length)}b`,
  dots: `a${'.'.repeat(length)}b`,
  hyphens: `a${'-'.repeat(length)}!`,
}

/** Of a refusal, in characters: its sentence twice, as message and issue, each with an escape a character. */
const maxRefusal = 6_000

/** Of processor time. */
const maxMs = 3_000

let node: TestNode
let fixture: Fixture

beforeAll(async () => {
  node = await startOwnNode({ SVC_MAX_JSON_BYTES: String(16 * length) })
  fixture = await newFixture(node)
})

afterAll(() => node.stop())

type Schema = Record<string, unknown>

/** The inputs in which each text of a schema, at any depth, has another value. */
function* withText(schema: Schema, value: unknown, text: string): Generator<[string, unknown]> {
  const resolved = [schema, ...[schema.anyOf ?? []].flat()].filter(isRecord)
  for (const each of resolved) {
    if (each.type === 'string') yield ['', text]
    if (each.type === 'array' && isRecord(each.items)) {
      const [first] = Array.isArray(value) ? value : []
      for (const [at, item] of withText(each.items, first, text)) yield [`[]${at}`, [item]]
    }
    if (isRecord(each.additionalProperties))
      for (const [at, item] of withText(each.additionalProperties, undefined, text))
        yield [`.*${at}`, { key: item }]
    if (isRecord(each.propertyNames)) yield ['.key', { [text]: 'value' }]
    if (!isRecord(each.properties)) continue
    const known = isRecord(value) ? value : {}
    for (const [name, property] of Object.entries(each.properties)) {
      if (!isRecord(property)) continue
      for (const [at, item] of withText(property, known[name], text))
        yield [`.${name}${at}`, { ...known, [name]: item }]
    }
  }
}

/** An unknown name fails in the first test. */
const nameSchema = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))

const mutations = definitionsOf(appRouter).filter(({ type }) => type === 'mutation')

it.each(mutations)('$name', async ({ name, input: schema }) => {
  const valid = cases[nameSchema.parse(name)].input(fixture)
  const fields = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  for (const [kind, text] of Object.entries(texts)) {
    for (const [at, input] of withText(fields, valid, text)) {
      const before = process.cpuUsage()
      // Also where a key may not call it.
      schema.safeParse(input)
      const { status, body } = await callRpc(
        node,
        fixture.team.ownerKey,
        name,
        z.record(z.string(), z.unknown()).parse(input),
      )
      const ms = process.cpuUsage(before).user / 1_000
      const isShort = status < 400 || JSON.stringify(body).length < maxRefusal
      expect
        .soft({ at, kind, isServed: status < 500, isQuick: ms < maxMs, isShort })
        .toEqual({ at, kind, isServed: true, isQuick: true, isShort: true })
    }
  }
})
