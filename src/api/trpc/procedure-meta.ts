/**
 * The meta of a procedure: its REST operation, the role that it requires, and what its document can't be made
 * from.
 */
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Reason } from '../../lib/errors.ts'
import type { Role } from '../../platform/callers/principal.ts'

/**
 * A procedure's rule for members who are limited to some projects. `theirs`: it passes the caller's scope
 * on, and answers of those projects alone. `same`: it is about the caller, or a credential of the caller.
 * Otherwise it refuses them, with this reason and message.
 */
type ForLimited = 'theirs' | 'same' | { reason: Reason; message: string }

/**
 * The role that the call requires in the caller's team; `owner of it` is about the team that the call names,
 * which the procedure checks. Some procedures require more for a part of their input (an owner's field,
 * another user's key), which they check with `requireOwner`. Owners are never limited.
 */
type Permission =
  | { role: Exclude<Role, 'member'> | 'owner of it'; limited?: never }
  | { role: 'member'; limited: ForLimited }

export type ProcedureMeta = OpenApiMeta &
  Permission & {
    /**
     * Whether it is about the caller's user, or a team that the call names: it goes without the second factor
     * that the caller's team may require, and checks by itself what a named team requires.
     */
    ofPerson?: true
    /** Whether keys with limits of their own may not call it, nor JWTs minted with them. */
    forUnlimitedKeys?: true
    /** Whether jobs of CI systems may call it with a token of a trust policy: they may call nothing else. */
    forWorkloads?: true
    /** The example in the document of an operation of REST: a body, if it takes one, and a response. */
    example?: { request?: unknown; response: unknown }
    /**
     * For a procedure by RPC alone that other programs may rely on: its part of the document of those. One
     * without it is for programs of the same version.
     */
    public?: { summary: string; description?: string; example: { input: unknown; output: unknown } }
    /** Whether the files may be sent as a zip. */
    takesZip?: true
    /**
     * False for a `POST` of REST whose response is nothing but a secret, which is never stored; true for a
     * mutation by RPC alone that stores its response.
     */
    keepsResponse?: boolean
    /**
     * Whether a client may repeat it as it is, not knowing what became of the first call, where its method
     * says something else: a `PUT` and a `DELETE` may, a `POST` without a kept response may not.
     */
    repeatable?: boolean
    /**
     * Whether a `POST` of REST only adds, so that nothing that is there is changed, replaced or
     * removed.
     */
    additive?: true
    /**
     * The reasons of this procedure's own refusals; those of its kind (any query, any mutation) are known
     * without it.
     */
    reasons?: readonly Reason[]
  }

/**
 * Whether a procedure stores its response for repeats with the same Idempotency-Key: each `POST` of REST
 * may.
 */
export function keepsResponse({ openapi, keepsResponse: kept }: ProcedureMeta): boolean {
  return kept ?? openapi?.method === 'POST'
}
