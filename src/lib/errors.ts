/** The one list of reasons for which a request is refused, and the error that carries one. */
import { cut } from './cut.ts'

/** tRPC's names of the error classes; the HTTP status follows from them. */
export const errorCodes = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'TIMEOUT',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Every reason a client can be given, and the class it belongs to. */
const reasons = {
  invalid_input: 'BAD_REQUEST',
  malformed_request: 'BAD_REQUEST',
  malformed_json: 'BAD_REQUEST',
  unsupported_content_type: 'BAD_REQUEST',
  unsupported_content_encoding: 'BAD_REQUEST',
  invalid_cursor: 'BAD_REQUEST',
  builds_not_available: 'BAD_REQUEST',
  files_missing: 'BAD_REQUEST',
  digest_mismatch: 'BAD_REQUEST',
  size_mismatch: 'BAD_REQUEST',
  jwt_not_configured: 'BAD_REQUEST',
  passkeys_not_available: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  token_malformed: 'UNAUTHORIZED',
  upload_url_invalid: 'UNAUTHORIZED',
  jwt_required: 'UNAUTHORIZED',
  jwt_cannot_mint: 'UNAUTHORIZED',
  sign_in_failed: 'UNAUTHORIZED',
  role_required: 'FORBIDDEN',
  second_factor_required: 'FORBIDDEN',
  storage_quota: 'FORBIDDEN',
  origin_not_allowed: 'FORBIDDEN',
  scope: 'FORBIDDEN',
  not_trusted: 'FORBIDDEN',
  unknown_path: 'NOT_FOUND',
  project_not_found: 'NOT_FOUND',
  deployment_not_found: 'NOT_FOUND',
  domain_not_found: 'NOT_FOUND',
  record_not_found: 'NOT_FOUND',
  key_not_found: 'NOT_FOUND',
  webhook_not_found: 'NOT_FOUND',
  delivery_not_found: 'NOT_FOUND',
  team_not_found: 'NOT_FOUND',
  session_not_found: 'NOT_FOUND',
  passkey_not_found: 'NOT_FOUND',
  share_link_not_found: 'NOT_FOUND',
  deploy_hook_not_found: 'NOT_FOUND',
  trust_policy_not_found: 'NOT_FOUND',
  link_invalid: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_SUPPORTED',
  request_timeout: 'TIMEOUT',
  name_in_use: 'CONFLICT',
  not_ready: 'CONFLICT',
  sources_gone: 'CONFLICT',
  untrusted: 'CONFLICT',
  is_live: 'CONFLICT',
  in_zone_of: 'CONFLICT',
  record_conflict: 'CONFLICT',
  too_many_records: 'CONFLICT',
  idempotency_key_reused: 'CONFLICT',
  idempotency_in_progress: 'CONFLICT',
  owner_required: 'CONFLICT',
  personal_team: 'CONFLICT',
  second_factor_set: 'CONFLICT',
  passkey_in_use: 'CONFLICT',
  too_many_passkeys: 'CONFLICT',
  team_has_projects: 'CONFLICT',
  too_many_teams: 'CONFLICT',
  too_many_webhooks: 'CONFLICT',
  too_many_share_links: 'CONFLICT',
  too_many_deploy_hooks: 'CONFLICT',
  too_many_trust_policies: 'CONFLICT',
  nothing_to_rebuild: 'CONFLICT',
  too_many_queued: 'CONFLICT',
  webhook_disabled: 'CONFLICT',
  delivery_pending: 'CONFLICT',
  changed_since: 'CONFLICT',
  no_room: 'CONFLICT',
  body_too_large: 'PAYLOAD_TOO_LARGE',
  rate_limited: 'TOO_MANY_REQUESTS',
  too_many_waiting: 'TOO_MANY_REQUESTS',
  internal_error: 'INTERNAL_SERVER_ERROR',
  store_unavailable: 'SERVICE_UNAVAILABLE',
  disk_full: 'SERVICE_UNAVAILABLE',
  sign_in_unavailable: 'SERVICE_UNAVAILABLE',
  issuer_unavailable: 'SERVICE_UNAVAILABLE',
  stopping: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<string, ErrorCode>

export type Reason = keyof typeof reasons

/** The names of all reasons, for the description of the API; `Object.keys` only forgets their type. */
export const reasonNames = Object.keys(reasons) as Reason[]

/** One thing that is wrong with the input: where (`files.3.path`), and what to do about it. */
export type Issue = { path: string; message: string }

/**
 * A blob that the caller has to upload before the deployment can be created: to a node, or straight to the
 * blob store where that is offered.
 */
export type MissingBlob = {
  sha256: string
  upload_url: string
  direct?: { url: string; headers: Record<string, string> } | undefined
}

type Details = { issues?: Issue[]; missing?: MissingBlob[]; retryAfterMs?: number; cause?: unknown }

/** The longest text in an error, in UTF-16 code units: somebody's own may be in it, whatever quotes it. */
const maxMessage = 2_000
const maxPath = 300

/**
 * A refusal: `reason` is for programs, `message` tells a person what to do. Never holds anything internal.
 */
export class AppError extends Error {
  readonly reason: Reason
  readonly issues: Issue[] | undefined
  readonly missing: MissingBlob[] | undefined
  /** After how many milliseconds the same request passes. */
  readonly retryAfterMs: number | undefined

  constructor(reason: Reason, message: string, details: Details = {}) {
    super(cut(message, maxMessage), { cause: details.cause })
    this.name = 'AppError'
    this.reason = reason
    this.issues = details.issues?.map(({ path, message: each }) => ({
      path: cut(path, maxPath),
      message: cut(each, maxMessage),
    }))
    this.missing = details.missing
    this.retryAfterMs = details.retryAfterMs
  }

  get code(): ErrorCode {
    return reasons[this.reason]
  }
}

/** An `invalid_input` error about one field. */
export function invalidField(path: string, message: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `${path}: ${message}`, { issues: [{ path, message }], cause })
}
