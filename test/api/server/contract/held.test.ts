/** The check of all tests' responses against the OpenAPI document finds violations. */
import { expect, it } from 'vitest'
import { projectExample } from '../../../../src/api/routers/examples/projects.ts'
import { createOpenApiDocument } from '../../../../src/api/server/openapi/document.ts'
import { createContract, type Exchange } from '../../../support/contract.ts'

const contract = createContract(JSON.parse(JSON.stringify(createOpenApiDocument('http://localhost', '1'))))

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_1',
  'ratelimit-policy': '"free";q=100;w=5',
  ratelimit: '"free";r=99;t=1',
}

const success = { method: 'GET', url: '/v1/projects/web?x=1', status: 200, headers }
const project = projectExample

const notFound = {
  code: 'NOT_FOUND',
  reason: 'project_not_found',
  message: 'There is none.',
  request_id: 'req_1',
}

const problems = (body: unknown, changes: Partial<Exchange> = {}) =>
  contract({ ...success, text: JSON.stringify(body), ...changes })

it.each<[string, unknown, Partial<Exchange>]>([
  ['a success', project, {}],
  ['a refusal', notFound, { status: 404 }],
  ['a HEAD', undefined, { method: 'HEAD', text: '' }],
  ['an unknown path', { ...notFound, reason: 'unknown_path' }, { status: 404, url: '/v1/nothing' }],
  [
    'malformed HTTP',
    { ...notFound, code: 'BAD_REQUEST', reason: 'malformed_request' },
    { status: 400, headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' } },
  ],
])('accepts %s', (_what, body, changes) => {
  expect(problems(body, changes)).toEqual([])
})

it.each<[string, unknown, Partial<Exchange>]>([
  ['an undocumented field', { ...Object(project), secret: 1 }, {}],
  ['a missing field', { ...Object(project), name: undefined }, {}],
  ['an undocumented status', project, { status: 201 }],
  ['a reason that the operation does not list', { ...notFound, reason: 'domain_not_found' }, { status: 404 }],
  ['a reason of another status', notFound, { status: 409 }],
  ['a request_id that differs from the header', { ...notFound, request_id: 'req_2' }, { status: 404 }],
  ['a refusal without its headers', notFound, { status: 401 }],
  ['a body that is not JSON', undefined, { text: '<html>' }],
  [
    'a JSON body without its content type',
    project,
    { headers: { ...headers, 'content-type': 'text/plain' } },
  ],
  ['a success at an unknown path', project, { url: '/v1/nothing' }],
])('finds %s', (_what, body, changes) => {
  expect(problems(body, changes)).not.toEqual([])
})
