/**
 * Makes schemas of responses open: later versions may add fields, which clients generated from the document
 * must accept.
 */

/** A copy of `value` in which no JSON Schema refuses properties that it doesn't list. */
export function openSchemas<T>(value: T): T
export function openSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => openSchemas(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, child]) => !(key === 'additionalProperties' && child === false),
  )
  return Object.fromEntries(entries.map(([key, child]) => [key, openSchemas(child)]))
}

/** Opens the component schemas, but those that `requestBodies` refer to: requests refuse unknown fields. */
export function openComponents<T>(schemas: Record<string, T>, requestBodies: unknown[]): Record<string, T> {
  const text = JSON.stringify(requestBodies)
  const isOfRequest = (name: string) => text.includes(`"#/components/schemas/${name}"`)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isOfRequest(name) ? schema : openSchemas(schema)]),
  )
}
