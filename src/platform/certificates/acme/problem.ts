/** Refusals of a certificate authority (RFC 8555, section 6.7; RFC 9457). */
import { z } from 'zod'

const problemSchema = z.object({
  type: z.string().optional(),
  detail: z.string().optional(),
  subproblems: z
    .array(
      z.object({
        type: z.string().optional(),
        detail: z.string().optional(),
        identifier: z.object({ value: z.string() }).optional(),
      }),
    )
    .optional(),
})

export type Problem = z.infer<typeof problemSchema>

/** The prefix of ACME's types. */
const urn = 'urn:ietf:params:acme:error:'

/** The most of an authority's message that goes into records and logs. */
const maxDetailCharacters = 500

/**
 * A refusal by the certificate authority; `type` is `badNonce`, `rateLimited` and so on, without its prefix.
 */
export class AcmeError extends Error {
  readonly type: string
  readonly status: number
  /** From `Retry-After`, in milliseconds; undefined without it. */
  readonly retryAfterMs: number | undefined

  constructor(problem: Problem, status: number, retryAfterMs?: number) {
    super(describe(problem, status))
    this.name = 'AcmeError'
    this.type = typeOf(problem)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The authority can't be reached, or its response is none of ACME. */
export class AcmeUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'AcmeUnavailableError'
  }
}

/** A problem document; what isn't one is an empty problem. */
export function parseProblem(body: unknown): Problem {
  const parsed = problemSchema.safeParse(body)
  return parsed.success ? parsed.data : {}
}

function typeOf({ type = '' }: Problem): string {
  return type.startsWith(urn) ? type.slice(urn.length) : type
}

function describe(problem: Problem, status: number): string {
  const parts = [problem, ...(problem.subproblems ?? [])].flatMap(({ detail }) => detail ?? [])
  const text = parts.length > 0 ? [...new Set(parts)].join(' ') : `The response has status ${status}.`
  return text.length > maxDetailCharacters ? `${text.slice(0, maxDetailCharacters)} ...` : text
}
