/** JSON Schemas of a document, and the secrets in what they describe. */
import { isRecord } from '../../lib/is-record.ts'
import { secretFormat } from '../../lib/secret.ts'

export type Schema = Record<string, unknown>

/** The document's schemas by name, to which `$ref` leads. */
export type Components = Record<string, unknown>

const prefix = '#/components/schemas/'

/** Far deeper than any input is. */
const maxDepth = 20

/** The schema with those that it refers to in their places; one within itself is left open. */
export function inlined(schema: unknown, components: Components): Schema {
  const copy = copyOf(schema, components, [])
  return isRecord(copy) ? copy : {}
}

function copyOf(value: unknown, components: Components, above: string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => copyOf(each, components, above))
  if (!isRecord(value)) return value
  const { $ref: ref, ...own } = value
  const name = typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined
  if (name === undefined) return fieldsOf(value, (each) => copyOf(each, components, above))
  if (above.includes(name) || above.length > maxDepth) return own
  const target = copyOf(components[name], components, [...above, name])
  return { ...(isRecord(target) && target), ...own }
}

/** Whether the schema (inlined) describes a secret anywhere. */
export function hasSecret(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasSecret)
  return isRecord(schema) && (schema.format === secretFormat || Object.values(schema).some(hasSecret))
}

/** The schema without fields that are secrets, or can't be sent without one. */
export function withoutSecrets(schema: Schema): Schema {
  return fieldsOf(schema, (value, key) => {
    if (Array.isArray(value)) return value.map((each) => (isRecord(each) ? withoutSecrets(each) : each))
    if (!isRecord(value)) return value
    if (key !== 'properties') return withoutSecrets(value)
    const kept = Object.entries(value).filter(([, each]) => !needsSecret(each))
    return Object.fromEntries(
      kept.map(([name, each]) => [name, isRecord(each) ? withoutSecrets(each) : each]),
    )
  })
}

/** The path of a secret in `value`, such as `password`; undefined if there is none. */
export function secretIn(schema: unknown, value: unknown, path = ''): string | undefined {
  if (!isRecord(schema)) return undefined
  if (isSecret(schema)) return path
  const within = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) =>
    Array.isArray(each) ? each : [],
  )
  const found = within.map((each) => secretIn(each, value, path)).find((each) => each !== undefined)
  if (found !== undefined) return found
  const inner: [unknown, unknown, string][] = Array.isArray(value)
    ? value.map((each, at) => [schema.items, each, `${path}[${at}]`])
    : isRecord(value) && isRecord(schema.properties)
      ? Object.entries(schema.properties).flatMap(([name, each]): [unknown, unknown, string][] =>
          Object.hasOwn(value, name) ? [[each, value[name], path === '' ? name : `${path}.${name}`]] : [],
        )
      : []
  return inner.map((each) => secretIn(...each)).find((each) => each !== undefined)
}

/** Whether a field is a secret, or nothing but null without one. */
function needsSecret(schema: unknown): boolean {
  if (isSecret(schema)) return true
  if (!isRecord(schema)) return false
  const { anyOf, items, properties, required } = schema
  if (Array.isArray(anyOf) && anyOf.some(needsSecret)) return true
  if (needsSecret(items)) return true
  if (!isRecord(properties) || !Array.isArray(required)) return false
  return Object.entries(properties).some(([name, each]) => required.includes(name) && needsSecret(each))
}

/** Whether a field is a secret, or null. */
function isSecret(schema: unknown): boolean {
  if (!isRecord(schema)) return false
  const { format, anyOf } = schema
  return format === secretFormat || (Array.isArray(anyOf) && anyOf.some(isSecret))
}

function fieldsOf(of: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]))
}
