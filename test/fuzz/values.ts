/** Arbitraries of JSON text from schemas: valid values, and ones with errors here and there. */
import fc from 'fast-check'
import { fieldTexts, textsOf } from './fields.ts'
import { hostileJson, hostileKey, hostileText } from './hostile.ts'
import type { Schema } from './schema.ts'

type Text = fc.Arbitrary<string>

/**
 * How values are generated: for which operation, how many places of a hundred get another value, and which
 * field always does.
 */
export type Making = { operation: string; spoiled: number; field?: string }

/** JSON as text, since not everything that is sent has a value: `1e400`, a repeated key, half a string. */
export function jsonOf(schema: Schema, making: Making, field = ''): Text {
  return spoiledAt(making, field, ownJsonOf(schema, making, field), isText(schema) ? oddText : hostileJson)
}

/** For text mostly other text: any other type is refused early. */
const oddText = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: hostileJson },
)

function isText({ type, anyOf = [] }: Schema): boolean {
  return type === 'string' || anyOf.some(isText)
}

function spoiledAt({ spoiled, field: always }: Making, field: string, own: Text, odd: Text): Text {
  if (always !== undefined && field === always) return odd
  if (spoiled === 0) return own
  return fc.oneof({ weight: 100 - spoiled, arbitrary: own }, { weight: spoiled, arbitrary: odd })
}

function ownJsonOf(schema: Schema, making: Making, field: string): Text {
  const { type, anyOf, items } = schema
  if (schema.enum) return fc.constantFrom(...schema.enum.map((each) => JSON.stringify(each)))
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
  if (anyOf) return fc.oneof(...anyOf.map((each) => ownJsonOf(each, making, field)))
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => ownJsonOf({ ...schema, type: each }, making, field)))
  switch (type) {
    case 'object':
      return objectOf(schema, making)
    case 'array':
      return fc
        .array(jsonOf(items ?? {}, making, field === 'projects' ? 'project' : field), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 5, 5),
        })
        .map((values) => `[${values.join(',')}]`)
    case 'string':
      return ownTextOf(schema, making, field).map((text) => JSON.stringify(text))
    case 'integer':
    case 'number':
      return numberOf(schema, field)
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'null':
      return fc.constant('null')
    default:
      return fc.json({ maxDepth: 2 })
  }
}

/** The text of a value as it is in a path, a query or a header. */
export function textOf(schema: Schema, making: Making, field: string): Text {
  return spoiledAt(making, field, ownTextOf(schema, making, field), hostileText)
}

function ownTextOf(schema: Schema, making: Making, field: string): Text {
  const known = textsOf[making.operation]?.[field] ?? fieldTexts[field]
  if (known) return known
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String))
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false')
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema, field)
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  const { minLength = 0, maxLength = 30 } = schema
  // Stored text must be well-formed, without U+0000.
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) })
    .map((text) => text.replaceAll('\u0000', 'a').slice(0, maxLength).toWellFormed())
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema, field: string): Text {
  const known = fieldTexts[field]
  if (known) return known
  return fc
    .oneof(
      fc.constantFrom(minimum, maximum),
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1_000_000) }),
    )
    .map(String)
}

type Entry = [key: string, json: string]

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, making: Making): Text {
  const { spoiled } = making
  const chance = (percent: number) => fc.integer({ min: 0, max: 99 }).map((drawn) => drawn < percent)
  const entries = Object.entries(properties).map(([key, schema]) =>
    fc
      .tuple(
        chance(key === making.field ? 100 : required.includes(key) ? 100 - spoiled : 35),
        jsonOf(schema, making, key),
      )
      .map(([there, json]): Entry[] => (there ? [[key, json]] : [])),
  )
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const others = values
    ? fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), jsonOf(values, making)), { maxLength: 4 })
    : fc.constant<Entry[]>([])
  const wrong =
    spoiled === 0
      ? fc.constant<Entry[]>([])
      : fc.oneof(
          { weight: 100 - spoiled, arbitrary: fc.constant<Entry[]>([]) },
          {
            weight: spoiled,
            arbitrary: fc.array(fc.tuple(oneOfKeys(Object.keys(properties)), hostileJson), {
              minLength: 1,
              maxLength: 2,
            }),
          },
        )
  return fc.tuple(fc.tuple(...entries), others, wrong).map(([own, more, bad]) => {
    const text = [...own.flat(), ...more, ...bad].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    return `{${text.join(',')}}`
  })
}

/** An existing key, or one that the object lacks. */
function oneOfKeys(keys: string[]): Text {
  return keys.length === 0 ? hostileKey : fc.oneof(fc.constantFrom(...keys), hostileKey)
}
