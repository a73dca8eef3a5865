/** The operations of a server, as its own OpenAPI document has them. */
import { isRecord } from '../../lib/is-record.ts'
import { failed } from '../command-failure.ts'
import { ask } from '../connection/ask.ts'
import type { Io } from '../io.ts'
import { type Components, hasSecret, inlined, type Schema } from './schema.ts'

const methods = ['get', 'put', 'post', 'delete'] as const

export type Operation = {
  /** Its procedure, such as `deployments.list`. */
  procedure: string
  method: (typeof methods)[number]
  summary: string
  description: string
  /** Whether it only adds. */
  additive: boolean
  /** All of its input as one object, without references. */
  input: Schema
  /** Whether its response may have a secret. */
  givesSecret: boolean
}

/**
 * Every operation of the server at `url`. Those that change something are left out where the server is of a
 * version that does not say which responses have secrets.
 * @throws Failure (6) if nothing or something else responds.
 */
export async function fetchOperations({ env, signal }: Io, url: string): Promise<Operation[]> {
  const address = `${url}/openapi.json`
  const { status, text } = await ask(url, address, { method: 'GET', headers: {}, env, stops: [signal] })
  if (status !== 200) throw failed(`${address} answers with status ${status}.`)
  return operationsOf(JSON.parse(text))
}

/** The operations of a document. @throws Failure if it is none. */
export function operationsOf(document: unknown): Operation[] {
  if (!isRecord(document) || !isRecord(document.paths)) throw failed('The server sent no OpenAPI document.')
  const schemas = recordOf(recordOf(document.components).schemas)
  const operations = Object.values(document.paths).flatMap((item) =>
    methods.flatMap((method) => {
      const operation = isRecord(item) ? item[method] : undefined
      return isRecord(operation) ? [operationOf(method, operation, schemas)] : []
    }),
  )
  const saysSecrets = operations.some(({ givesSecret }) => givesSecret)
  return saysSecrets ? operations : operations.filter(({ method }) => method === 'get')
}

function operationOf(
  method: Operation['method'],
  operation: Record<string, unknown>,
  schemas: Components,
): Operation {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  return {
    procedure: textOf(operationId).replace('-', '.'),
    method,
    summary: textOf(summary),
    description: textOf(description),
    additive: operation['x-svc-additive'] === true,
    input: inputOf(parameters, inlined(schemaOf(requestBody), schemas)),
    givesSecret: hasSecret(inlined(schemaOf(recordOf(responses)['200']), schemas)),
  }
}

/** A body's field is described better than the parameter that stands for it where the body is no JSON. */
function inputOf(parameters: unknown, body: Schema): Schema {
  const given = (Array.isArray(parameters) ? parameters : []).filter(isRecord)
  const inPlace = given.filter((each) => each.in === 'path' || each.in === 'query')
  const properties = inPlace.map(({ name, schema, description }): [string, Schema] => [
    textOf(name),
    { ...recordOf(schema), ...(description !== undefined && { description }) },
  ])
  const required = inPlace.filter((each) => each.required === true).map(({ name }) => textOf(name))
  const ofBody = Array.isArray(body.required) ? body.required.map(textOf) : []
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...recordOf(body.properties) },
    required: [...new Set([...required, ...ofBody])],
    additionalProperties: false,
  }
}

function schemaOf(body: unknown): unknown {
  return recordOf(recordOf(recordOf(body).content)['application/json']).schema
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
