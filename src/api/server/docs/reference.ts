/** The part of the OpenAPI document that the reference's pages read. */
import { z } from 'zod'

/** The parts of a schema that the pages read. */
export const schemaSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schemaSchema).optional()
  },
  get items() {
    return z.union([schemaSchema, z.literal(false)]).optional()
  },
  get prefixItems() {
    return z.array(schemaSchema).optional()
  },
  get anyOf() {
    return z.array(schemaSchema).optional()
  },
  get oneOf() {
    return z.array(schemaSchema).optional()
  },
  get additionalProperties() {
    return z.union([schemaSchema, z.boolean()]).optional()
  },
})

export type Schema = z.infer<typeof schemaSchema>

const contentSchema = z.object({
  'application/json': z.object({
    schema: schemaSchema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.unknown()).optional(),
  }),
})

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: schemaSchema.extend({ examples: z.array(z.unknown()).optional() }),
})

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  parameters: z.array(parameterSchema).default([]),
  // Beside JSON, the names of other media types.
  requestBody: z.object({ required: z.boolean(), content: contentSchema.catchall(z.unknown()) }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: contentSchema.partial().optional() }),
  ),
})

const eventSchema = z.object({
  post: z.object({
    operationId: z.string(),
    summary: z.string(),
    tags: z.array(z.string()),
    requestBody: z.object({ content: contentSchema }),
  }),
})

const documentSchema = z.object({
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  webhooks: z.record(z.string(), eventSchema),
  components: z.object({
    schemas: z.record(z.string(), schemaSchema),
    examples: z.record(z.string(), z.object({ value: z.object({ message: z.string() }) })),
  }),
})

export type Parameter = z.infer<typeof parameterSchema>
export type Operation = z.infer<typeof operationSchema> & { path: string; method: string }
export type Event = z.infer<typeof eventSchema>['post'] & { type: string }

export type Tag = {
  name: string
  description: string
  slug: string
  operations: Operation[]
  events: Event[]
}

export type Reference = {
  tags: Tag[]
  /** By name. */
  schemas: Map<string, Schema>
  /** By reason: what its message may read, and with which status it comes. */
  errors: Map<string, { message: string; status: string }>
}

/** The reference of a document. @throws ZodError where it has what no page would show. */
export function readReference(document: unknown): Reference {
  const { tags, paths, webhooks, components } = documentSchema.parse(document)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ ...post, type }))
  return {
    tags: tags.map((tag) => ({
      ...tag,
      slug: slugOf(tag.name),
      operations: operations.filter((each) => each.tags.includes(tag.name)),
      events: events.filter((each) => each.tags.includes(tag.name)),
    })),
    schemas: new Map(Object.entries(components.schemas)),
    errors: new Map(
      operations.flatMap(reasonsOf).map(({ reason, status }) => {
        const message = components.examples[reason]?.value.message ?? ''
        return [reason, { message, status }]
      }),
    ),
  }
}

/** Why an operation may be refused, with the status, in the order of the document. */
export function reasonsOf({ responses }: Operation): { reason: string; status: string }[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.keys(content?.['application/json']?.examples ?? {}).map((reason) => ({ reason, status })),
  )
}

/** The name of a component that a `$ref` leads to. */
export const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
