/** An example of each error in the OpenAPI document. */
import { AppError, type Reason } from '../../../lib/errors.ts'
import { type ErrorBody, errorBody } from '../../trpc/error-body.ts'

type Example = [message: string, details?: ConstructorParameters<typeof AppError>[2]]

const requestId = 'req_019aa5d3e4107b6ca2d85f3190c7be42'

const examples: Partial<Record<Reason, Example>> = {
  invalid_input: [
    'limit: must be at most 100',
    { issues: [{ path: 'limit', message: 'must be at most 100' }] },
  ],
  invalid_cursor: [
    'cursor: pass next_cursor of the page before, unchanged, or leave it out.',
    { issues: [{ path: 'cursor', message: 'is not a cursor of this list' }] },
  ],
  malformed_json: ['The body is not valid JSON: Unexpected end of JSON input.'],
  unsupported_content_type: ['Send the body as JSON, with Content-Type: application/json.'],
  unsupported_content_encoding: ['Send the body without a Content-Encoding.'],
  builds_not_available: ['Builds are not available here: bubblewrap (bwrap) is not installed.'],
  files_missing: [
    '1 of the files are not here yet: PUT each to its upload_url, then send the same request again.',
    {
      missing: [
        {
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          upload_url:
            'https://api.example.com/uploads/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08?size=1713',
        },
      ],
    },
  ],
  passkeys_not_available: [
    'Passkeys work at an https address with a host name only: ' +
      'the address of this server (SVC_URL) is another one.',
  ],
  jwt_not_configured: ['This server has no SVC_JWT_SECRET, so it issues no JWT: send the API key itself.'],
  unauthorized: ['Send a valid API key, or a token minted with one, as "Authorization: Bearer …".'],
  token_malformed: ["This API key's checksum doesn't fit: it was mistyped or cut off. Copy it again."],
  jwt_required: [
    'This needs a JWT: exchange the API key or session for one at POST /v1/token, ' +
      'and send that as the Bearer token.',
  ],
  jwt_cannot_mint: ['A JWT mints no other: send the API key or the session itself.'],
  second_factor_required: [
    'The team acme requires a second factor: set one up on your account page, then sign in with it.',
  ],
  scope: [
    'A token of a trust policy may not do this: it reads its project, and makes and reads deployments of it.',
  ],
  not_trusted: [
    'No trust policy of such a project matches the claims of the identity token. ' +
      'An owner of the team makes one with `svc trust add`.',
  ],
  role_required: ['Only an owner of the team may do this.'],
  origin_not_allowed: [
    "With a session's cookie only pages of https://api.example.com may change something. " +
      'Others send an API key or a JWT.',
  ],
  project_not_found: ['The team has no project web.'],
  deployment_not_found: ['The team has no deployment dpl_019aa5d3d1c0a4b2f60d93c2e8175b64.'],
  domain_not_found: ['The team has no domain example.com.'],
  record_not_found: ['example.com has no record rec_019aa5d3f2306ab18c94e57d03fb2a66.'],
  key_not_found: ['The team has no such API key.'],
  share_link_not_found: ['The project has no such share link.'],
  trust_policy_not_found: ['The project has no such trust policy.'],
  deploy_hook_not_found: ['The project has no such deploy hook.'],
  webhook_not_found: ['The team has no such webhook.'],
  team_not_found: ['You are in no such team.'],
  request_timeout: ['The body arrived too slowly. Send it again.'],
  name_in_use: ['A project named web exists. Choose another name.'],
  not_ready: ['The deployment is queued; only one that is ready can be promoted.'],
  sources_gone: ['The sources of this deployment are not kept any more: deploy the files themselves.'],
  second_factor_set: ['There is an app for codes already: take it away before you set up another one.'],
  passkey_in_use: ['This passkey is in use already: make another one.'],
  too_many_passkeys: ['A person may have 20 passkeys. Remove one first.'],
  untrusted: [
    'This deployment was made of the sources of somebody outside the team, so that it is never promoted.',
  ],
  is_live: ['This deployment is live: promote another one before you delete it.'],
  in_zone_of: [
    'www.example.com is in the zone of example.com, which the team has claimed too: change its records at ' +
      '/v1/domains/example.com/records, where the name of this one is www.',
  ],
  record_conflict: ['www.example.com has a CNAME record, which stands alone. Change or delete that one.'],
  too_many_records: [
    'example.com with what is below it may have 10000 records of a team, not 10001. Delete some first.',
  ],
  idempotency_key_reused: [
    'This Idempotency-Key was sent with another input. Send a new key with a new request.',
  ],
  idempotency_in_progress: [
    'A request with this Idempotency-Key is still running. Send it again in a moment to get its answer.',
  ],
  owner_required: [
    'members: one of the owners must be here already, or have signed in with that address. ' +
      '"email": null stands for who has no address.',
  ],
  personal_team: ["A personal team can't be deleted."],
  team_has_projects: ['The team still has projects, such as web. Delete them first.'],
  too_many_teams: ['A user may own 20 teams. Delete one of them first.'],
  too_many_share_links: ['A project has at most 50 share links. Revoke one first.'],
  too_many_trust_policies: ['A project has at most 20 trust policies. Revoke one first.'],
  too_many_deploy_hooks: ['A project has at most 20 deploy hooks. Revoke one first.'],
  nothing_to_rebuild: ['There is nothing of the branch next to build again: deploy it once.'],
  too_many_webhooks: ['A team has at most 50 webhooks. Delete one first.'],
  storage_quota: [
    'There is no room for 4096 bytes more: ' +
      "the team's files take 1048000 of the 1048576 bytes of its plan, some may be on their way. " +
      'Delete deployments, whose files go soon after, or have the plan changed.',
  ],
  too_many_queued: [
    '100 deployments of the team wait for their build, and no more may. ' +
      'Wait until one has begun, or cancel some.',
  ],
  no_room: [
    'runtime.min: a node has room for 5 servers of a team that always run, with 1024 MiB together. ' +
      'Set runtime.min of another project to 0, or runtime.memory_bytes to less.',
  ],
  changed_since: ['The team was changed since it was read. Get it again, and make your change to that.'],
  body_too_large: ['The body is larger than 10485760 bytes. Upload files by digest instead.'],
  rate_limited: [
    'A team on the free plan may make 20 requests per second, in bursts of 100. Try again in 50 ms.',
    { retryAfterMs: 50 },
  ],
  too_many_waiting: [
    'At most 20 calls of a team may wait for logs at a time. Leave wait_s out, or try again later.',
    { retryAfterMs: 5_000 },
  ],
  internal_error: ['Internal error. Give the operator the request_id.'],
  store_unavailable: ['The database is unavailable or overloaded. Try again in a moment.'],
  disk_full: [
    'The disk of the server is nearly full, so that nothing was stored. ' +
      'Try again later; its operator has to make room.',
  ],
  issuer_unavailable: [
    "The issuer of the identity token, https://gitlab.example.com, can't be reached now. Try again.",
  ],
  stopping: ['This node is stopping. Try again.'],
}

/** @throws when there is none for the reason. */
export function errorExample(reason: Reason): ErrorBody {
  const example = examples[reason]
  if (!example) throw new Error(`There is no example of the error ${reason}.`)
  return errorBody(new AppError(reason, ...example), requestId)
}
