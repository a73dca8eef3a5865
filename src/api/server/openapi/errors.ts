/** The error responses of each operation in the OpenAPI document, with their reasons. */
import { AppError, type Reason } from '../../../lib/errors.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { RestProcedure } from '../calls/procedures.ts'

/** Reasons of every operation; `team_not_found` is about the session's team. */
const ofAll: Reason[] = [
  'invalid_input',
  'unauthorized',
  'token_malformed',
  'team_not_found',
  'rate_limited',
  'internal_error',
  'store_unavailable',
]

/** Further reasons of mutations: the origin of a cookie, or the body, even where it is optional. */
const ofChanges: Reason[] = [
  'malformed_json',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'origin_not_allowed',
  'request_timeout',
  'body_too_large',
  'too_many_waiting',
]

const ofKeptResponses: Reason[] = ['idempotency_key_reused', 'idempotency_in_progress']

type Refusing = Pick<
  RestProcedure,
  'type' | 'role' | 'ofPerson' | 'forWorkloads' | 'keepsResponse' | 'reasons'
>

/** The reasons for which an operation with these `fields` of input may be refused, grouped by status. */
export function refusalsOf(
  { type, role, ofPerson, forWorkloads, keepsResponse, reasons }: Refusing,
  fields: Set<string>,
): Map<number, Reason[]> {
  const changes = type === 'mutation'
  const known = new Set<Reason>([
    ...ofAll,
    ...(fields.has('cursor') ? (['invalid_cursor'] as const) : []),
    ...(changes ? ofChanges : []),
    // Of all mutations, only the exchange accepts anything but a JWT where JWTs are enforced.
    ...(changes && !reasons.includes('jwt_cannot_mint') ? (['jwt_required'] as const) : []),
    ...(ofPerson ? [] : (['second_factor_required'] as const)),
    ...(forWorkloads ? [] : (['scope'] as const)),
    ...(role !== 'member' ? (['role_required'] as const) : []),
    ...(keepsResponse ? ofKeptResponses : []),
    ...reasons,
  ])
  const byStatus = new Map<number, Reason[]>()
  for (const reason of known) {
    const status = statusOf(new AppError(reason, ''))
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}
