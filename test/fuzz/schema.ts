/** JSON schemas of the OpenAPI document, as far as values are made from them. */
import { z } from 'zod'

export type Schema = {
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  const?: unknown
  anyOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  additionalProperties?: Schema | boolean | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  pattern?: string | undefined
}

/** A schema without references: `components` are put in their places. */
export const schemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(schemaShape).optional(),
    properties: z.record(z.string(), schemaShape).optional(),
    required: z.array(z.string()).optional(),
    items: schemaShape.optional(),
    additionalProperties: z.union([z.boolean(), schemaShape]).optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    pattern: z.string().optional(),
  }),
)

const prefix = '#/components/schemas/'

/** The document's `value` with each reference to a component's schema replaced by what it refers to. */
export function withoutReferences(value: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutReferences(each, components))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(prefix)) {
    return withoutReferences(components[value.$ref.slice(prefix.length)], components)
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutReferences(each, components)]),
  )
}
