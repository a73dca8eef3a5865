/** The API refuses unknown fields, also the one that infinite queries add. */
import type { AppRouter } from '@svc-platform/client'
import type { TRPCLink } from '@trpc/client'

/** A link that leaves `direction` out of inputs: all lists go forward. */
export const strictInputsLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next({ ...op, input: withoutDirection(op.input) })

function withoutDirection(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('direction' in input)) return input
  const { direction: _, ...rest } = input
  return rest
}
