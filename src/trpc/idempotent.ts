/** Which procedures store their response for repeats with the same Idempotency-Key. */
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import type { Reason } from '../errors.ts'

/**
 * `takesZip`: the files may be sent as a zip. `keepsResponse: false` is for a `POST` whose answer is nothing but a secret, which is never stored. `reasons` are those of
 * this procedure's own refusals: what any call of its kind may be refused for is known without being said.
 */
export type ProcedureMeta = OpenApiMeta & {
  takesZip?: true
  keepsResponse?: false
  reasons?: readonly Reason[]
}

const keepingSchema = z.object({
  openapi: z.object({ method: z.literal('POST') }),
  keepsResponse: z.undefined().optional(),
})

/** Whether a procedure with this meta does: every `POST` of the REST surface, unless its meta says otherwise. */
export function keepsResponse(meta: unknown): boolean {
  return keepingSchema.safeParse(meta).success
}
