/** The responses in the OpenAPI document: their headers, and the body of all errors. */
import type { OpenAPIObject } from 'trpc-to-openapi'
import type { Reason } from '../../../lib/errors.ts'

type Operation = NonNullable<NonNullable<OpenAPIObject['paths']>[string]['get']>
type Response = Exclude<NonNullable<Operation['responses']>[string], { $ref: string }>

const json = 'application/json'

const errorDescriptions: Record<string, string> = {
  400: 'The input is invalid; issues lists the fields.',
  401: 'The token is missing, invalid, or of a kind that this operation does not accept.',
  403: "The role is insufficient, or another site sent the request with a session's cookie.",
  404: 'Not found in this team.',
  408: 'The body arrived too slowly.',
  409: 'A conflict with a name in use or the current state, or an Idempotency-Key in use.',
  413: 'The body is too large.',
  429: 'Too many requests; see Retry-After and retry_after_ms.',
  500: 'Internal error.',
  503: 'A store is unavailable; see Retry-After.',
}

const requestIdHeader = {
  'x-request-id': {
    required: true,
    description: 'Identifies this request in the logs',
    schema: { type: 'string' },
  },
} as const

/** `required` if every such response has drawn from a limit. */
function limitHeaders(required: boolean) {
  return {
    'RateLimit-Policy': {
      required,
      description: 'The rate limit of this request: a burst of q, refilled within w seconds',
      schema: { type: 'string', examples: ['"free";q=100;w=5'] },
    },
    RateLimit: {
      required,
      description: 'What remains of it: r requests now, all of them in t seconds',
      schema: { type: 'string', examples: ['"free";r=99;t=1'] },
    },
  } as const
}

const authenticateHeader = { required: true, schema: { type: 'string', const: 'Bearer' } } as const
const retryAfterHeader = { required: true, description: 'Seconds', schema: { type: 'integer' } } as const

/** The success response as the generator made it, with headers and an example. */
export function success(response: Response, example: unknown): Response {
  return {
    ...response,
    headers: { ...requestIdHeader, ...limitHeaders(true) },
    content: { [json]: { ...response.content?.[json], ...(example !== undefined && { example }) } },
  }
}

/** The error response of an operation with this status, with an example of each reason. */
export function failure(status: number, reasons: Reason[]): Response {
  return {
    description: errorDescriptions[status] ?? 'An error.',
    headers: {
      ...requestIdHeader,
      ...limitHeaders(status < 500),
      ...(status === 401 && { 'www-authenticate': authenticateHeader }),
      ...((status === 429 || status === 503) && { 'retry-after': retryAfterHeader }),
    },
    content: {
      [json]: {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          reasons.map((reason) => [reason, { $ref: `#/components/examples/${reason}` }]),
        ),
      },
    },
  }
}
