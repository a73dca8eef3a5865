import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../../src/api/server/openapi/document.ts'
import { statusOf } from '../../../src/api/trpc/error-body.ts'
import { AppError, reasonNames } from '../../../src/lib/errors.ts'
import { eventTypes } from '../../../src/lib/names/event-types.ts'
import { closeSchemas } from '../../support/contract.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

const document = createOpenApiDocument('https://api.svc.test', '1.2.3')

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation,
  })),
)

type DocumentedResponse = {
  headers: Record<string, { required?: boolean }>
  content: { 'application/json': { schema: unknown; examples?: Record<string, unknown> } }
}

const { examples: errorExamples } = JSON.parse(JSON.stringify(document.components))

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', components: closeSchemas(document.components) })

const validators = new Map<string, ValidateFunction>()

/** Compiled once: most responses have the same schema. */
function validator(schema: unknown): ValidateFunction {
  const text = JSON.stringify(closeSchemas(schema)).replaceAll('"#/components', '"document#/components')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text))
  validators.set(text, validate)
  return validate
}

function problems(schema: unknown, value: unknown): unknown[] {
  const validate = validator(schema)
  validate(value)
  return validate.errors ?? []
}

describe('the document', () => {
  it('is OpenAPI 3.1 for this version, at this URL', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'svc', version: '1.2.3', license: { identifier: 'MIT' } },
      servers: [{ url: 'https://api.svc.test' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    })
  })

  it('describes each tag that is used, and no other', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect(new Set(document.tags?.map(({ name }: { name: string }) => name))).toEqual(used)
    for (const { description } of document.tags ?? []) expect(description).toMatch(/\.$/)
  })

  it('allows more fields in responses and events, not in requests', () => {
    const { schemas } = document.components ?? {}
    const { DeploymentFile, ...ofResponses } = schemas ?? {}
    const responses = operations.map(({ operation }) => operation.responses)
    expect(JSON.stringify([ofResponses, responses, document.webhooks])).not.toContain(
      '"additionalProperties":false',
    )
    expect(DeploymentFile).toMatchObject({ additionalProperties: false })
    const bodies = operations.flatMap(({ operation }) => operation.requestBody ?? [])
    for (const { content } of bodies) {
      expect(content['application/json'].schema).toMatchObject({ additionalProperties: false })
    }
  })

  it('says which operations refuse members, for all or a part of their input', () => {
    const refusing = operations.filter(({ operation }) =>
      JSON.stringify(operation.responses['403'] ?? {}).includes('role_required'),
    )
    expect(refusing.map(({ name }) => name).sort()).toEqual([
      'DELETE /v1/deployments/{deployment}',
      'DELETE /v1/domains/{domain}',
      'DELETE /v1/projects/{project}',
      'DELETE /v1/teams/{team}',
      'DELETE /v1/webhooks/{webhook}',
      'POST /v1/apikeys',
      'POST /v1/webhooks',
      'PUT /v1/domains/{domain}',
      'PUT /v1/projects/{project}',
      'PUT /v1/teams/{team}',
    ])
  })

  it('names each operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has a schema for errors that real errors match', () => {
    const schema = { $ref: '#/components/schemas/Error' }
    const error = {
      code: 'NOT_FOUND',
      reason: 'project_not_found',
      message: 'There is none.',
      request_id: 'req_1',
    }
    expect(problems(schema, error)).toEqual([])
    expect(problems(schema, { ...error, stack: 'at' })).not.toEqual([])
    expect(problems(schema, { ...error, reason: 'something' })).not.toEqual([])
    expect(problems(schema, { message: 'There is none.' })).not.toEqual([])
  })
})

describe.each(operations)('$name', ({ path, method, operation }) => {
  const { parameters = [], requestBody, responses = {} } = operation

  it('has a summary, a description and a role', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(operation.tags).toHaveLength(1)
    expect(operation.security).toEqual([{ bearer: [] }])
  })

  it('describes its parameters', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const documented = parameters.filter(({ in: place }: { in: string }) => place === 'path')
    expect(documented.map(({ name }: { name: string }) => name)).toEqual(inPath)
    for (const { name, in: place, required, description, schema } of parameters) {
      expect({
        name,
        place,
        required: required ?? false,
        described: typeof description,
        typed: typeof schema.type,
      }).toEqual({
        name,
        place: place === 'path' || place === 'header' ? place : 'query',
        // The metric: there is no sensible default.
        required: place === 'path' || (place === 'query' && name === 'metric'),
        described: 'string',
        typed: 'string',
      })
    }
  })

  it(`${method === 'post' ? 'takes an' : 'has no'} Idempotency-Key`, () => {
    const headers = parameters.filter(({ in: place }: { in: string }) => place === 'header')
    const expected = method === 'post' ? ['Idempotency-Key'] : []
    expect(headers.map(({ name }: { name: string }) => name)).toEqual(expected)
  })

  it('responds 200 with JSON, and has an example of it', () => {
    const { schema, example } = responses[200].content['application/json']
    expect(example).toBeDefined()
    expect(problems(schema, example)).toEqual([])
    expect(Object.keys(responses).filter((status) => /^[123]/.test(status))).toEqual(['200'])
  })

  it('allows no unknown field', () => {
    const { schema, example } = responses[200].content['application/json']
    expect(problems(schema, { ...example, other: 1 })).not.toEqual([])
  })

  it('refuses with one error schema, and x-request-id', () => {
    const expected = ['400', '401', '500', '503', ...(method === 'get' ? [] : ['408', '413'])]
    // The exchange for a JWT stores no response, and so never conflicts with itself.
    if (method === 'post' && operation.operationId !== 'tokens-mint') expected.push('409')
    const errors = Object.keys(responses).filter((status) => status !== '200')
    expect(errors).toEqual(expect.arrayContaining(expected))
    for (const status of Object.keys(responses)) {
      const { description, headers, content } = responses[status]
      expect(description).toMatch(/\w{3}/)
      expect(headers['x-request-id']).toBeDefined()
      if (status !== '200')
        expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
    }
    expect(responses[401].headers['www-authenticate'].schema.const).toBe('Bearer')
    for (const status of [429, 503]) {
      expect(responses[status].headers['retry-after']).toMatchObject({
        required: true,
        schema: { type: 'integer' },
      })
    }
  })

  it('declares the rate limit’s headers on every response below 500', () => {
    for (const [status, { headers }] of Object.entries<DocumentedResponse>(responses)) {
      const documented = ['x-request-id', 'RateLimit-Policy', 'RateLimit'].map(
        (name) => headers[name]?.required,
      )
      expect({ status, documented }).toEqual({ status, documented: [true, status < '500', status < '500'] })
    }
  })

  it('has an example for each refusal, and for no other', () => {
    for (const [status, { content }] of Object.entries<DocumentedResponse>(responses)) {
      if (status === '200') continue
      const { schema, examples } = content['application/json']
      const reasons = Object.keys(examples ?? {})
      expect(reasons).not.toEqual([])
      for (const reason of reasons) {
        const value = errorExamples[reason]?.value
        expect(problems(schema, value)).toEqual([])
        expect(value).toMatchObject({ reason })
        const known = reasonNames.find((each) => each === reason)
        expect(known && statusOf(new AppError(known, ''))).toBe(Number(status))
      }
    }
  })

  it('is paged if it returns a list', () => {
    const names = parameters.map(({ name }: { name: string }) => name)
    const isList = 'next_cursor' in (responses[200].content['application/json'].example ?? {})
    expect(['limit', 'cursor'].map((name) => names.includes(name))).toEqual([isList, isList])
  })

  it.runIf(requestBody)('has an example of its body, and says whether the body is required', () => {
    const { schema, example } = requestBody.content['application/json']
    expect(example).toBeDefined()
    expect(problems(schema, example)).toEqual([])
    expect(problems(schema, { ...example, other: 1 })).not.toEqual([])
    expect(requestBody.required).toBe((schema.required ?? []).length > 0)
    expect(problems(schema, {}).length > 0).toBe(requestBody.required)
  })
})

describe('the webhooks', () => {
  const { webhooks, components } = JSON.parse(JSON.stringify(document))

  it('are those of every event type, and no other', () => {
    expect(Object.keys(webhooks)).toEqual(eventTypes)
  })

  describe.each(eventTypes)('%s', (type) => {
    const { summary, parameters, requestBody, responses, security } = webhooks[type].post
    const { schema, example } = requestBody.content['application/json']

    it('describes when it is sent, its headers, and the expected response', () => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/)
      expect(security).toEqual([])
      const headers = parameters.map(
        ({ $ref }: { $ref: string }) => components.parameters[$ref.replace('#/components/parameters/', '')],
      )
      expect(headers).toMatchObject([
        { name: 'webhook-id', in: 'header', required: true },
        { name: 'webhook-timestamp', in: 'header', required: true },
        { name: 'webhook-signature', in: 'header', required: true },
      ])
      expect(Object.keys(responses).toSorted()).toEqual(['2XX', '410'])
    })

    it('has an example that matches its strict schema', () => {
      expect(problems(schema, example)).toEqual([])
      expect(Object.keys(example)).toEqual(['id', 'type', 'created_ms', 'team', 'data'])
      for (const broken of [{ type: 'other' }, { data: {} }, { id: 'dpl_1' }, { other: 1 }]) {
        expect(problems(schema, { ...example, ...broken }), JSON.stringify(broken)).not.toEqual([])
      }
    })
  })
})

describe('the examples', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await sharedNode()
  })

  it('are accepted by the API as they are', async () => {
    const team = await newTeam(node)
    const project = unique('web')
    const exampleOf = (name: string) =>
      operations.find((each) => each.name === name)?.operation.requestBody.content['application/json'].example
    const put = exampleOf('PUT /v1/projects/{project}')
    expect((await team.owner('PUT', `/v1/projects/${project}`, put)).status).toBe(200)
    expect((await team.owner('POST', '/v1/apikeys', exampleOf('POST /v1/apikeys'))).status).toBe(200)
    const deployment = { ...exampleOf('POST /v1/deployments'), project }
    expect((await team.owner('POST', '/v1/deployments', deployment)).body.reason).toBe('files_missing')
  })
})
