/** What those who count are told of the API, while it answers others: they have to return at once, and must not throw. */
import type { PolicyName } from '../limits/policy.ts'

export type Observe = {
  /** A request, or one call of a batch, was answered. `operation` is the procedure's name, or one that the server has for it. */
  answered(operation: string, status: number, ms: number): void
  /** A request was refused because there were too many. */
  limited(policy: PolicyName): void
  /** A call was answered with what an earlier one with the same Idempotency-Key was answered. */
  replayed(): void
}
