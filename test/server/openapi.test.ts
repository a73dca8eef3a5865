import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { AppError, reasonNames } from '../../src/errors.ts'
import { eventTypes } from '../../src/events/types.ts'
import { createOpenApiDocument } from '../../src/server/openapi/document.ts'
import { statusOf } from '../../src/trpc/error-body.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam } from '../support/team.ts'

const document = createOpenApiDocument('https://api.svc.test', '1.2.3')

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation,
  })),
)

type Told = {
  headers: Record<string, { required?: boolean }>
  content: { 'application/json': { schema: unknown; examples?: Record<string, unknown> } }
}

const { examples: errorExamples } = JSON.parse(JSON.stringify(document.components))

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', components: document.components })

function validator(schema: unknown): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')))
}

function problems(schema: unknown, value: unknown): unknown[] {
  const validate = validator(schema)
  validate(value)
  return validate.errors ?? []
}

describe('the document', () => {
  it('is OpenAPI 3.1 for this version, at this address', () => {
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

  it('names each operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has a schema for errors that real errors keep to', () => {
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

  it('says what it does, for whom', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(operation.tags).toHaveLength(1)
    expect(operation.security).toEqual([{ bearer: [] }])
  })

  it('describes its parameters', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const told = parameters.filter(({ in: place }: { in: string }) => place === 'path')
    expect(told.map(({ name }: { name: string }) => name)).toEqual(inPath)
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
        // Which metric: there is none that everybody would mean.
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

  it('answers 200 with JSON, of which it shows an example', () => {
    const { schema, example } = responses[200].content['application/json']
    expect(example).toBeDefined()
    expect(problems(schema, example)).toEqual([])
    expect(Object.keys(responses).filter((status) => /^[123]/.test(status))).toEqual(['200'])
  })

  it('knows no field besides', () => {
    const { schema, example } = responses[200].content['application/json']
    expect(problems(schema, { ...example, other: 1 })).not.toEqual([])
  })

  it('refuses with one and the same body, and x-request-id', () => {
    const expected = ['400', '401', '500', '503', ...(method === 'get' ? [] : ['408', '413'])]
    // The exchange for a JWT keeps no answer, and so never conflicts with itself.
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

  it('tells of the limit that a request draws from, wherever it comes so far', () => {
    for (const [status, { headers }] of Object.entries<Told>(responses)) {
      const told = ['x-request-id', 'RateLimit-Policy', 'RateLimit'].map((name) => headers[name]?.required)
      expect({ status, told }).toEqual({ status, told: [true, status < '500', status < '500'] })
    }
  })

  it('shows an example of each refusal, and of no other', () => {
    for (const [status, { content }] of Object.entries<Told>(responses)) {
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

  it('is paged where it answers a list', () => {
    const names = parameters.map(({ name }: { name: string }) => name)
    const isList = 'next_cursor' in (responses[200].content['application/json'].example ?? {})
    expect(['limit', 'cursor'].map((name) => names.includes(name))).toEqual([isList, isList])
  })

  it.runIf(requestBody)('shows an example of its body, and says whether there has to be one', () => {
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

  it('are those of every type of event, and no other', () => {
    expect(Object.keys(webhooks)).toEqual(eventTypes)
  })

  describe.each(eventTypes)('%s', (type) => {
    const { summary, parameters, requestBody, responses, security } = webhooks[type].post
    const { schema, example } = requestBody.content['application/json']

    it('says when it is sent, with which headers, and how it is answered', () => {
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

    it('shows an example that keeps to its schema, which takes no other', () => {
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

  it('are taken by the API as they are', async () => {
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
