/**
 * The reports of each role to observers, while it serves others: an observer has to return at once, and
 * must not throw.
 */
import type { PolicyName } from '../limits/policy.ts'
import type { ServedRequest, ServedResponse } from './response-observer.ts'

/** Operations are names of procedures and a few of our own, never what a client sent. */
export type ApiObserver = {
  /** A request, or one call of a batch, got its response. */
  answered(operation: string, status: number, ms: number): void
  /** A request was refused because there were too many. */
  limited(policy: PolicyName): void
  /** A call got the response of an earlier one with the same Idempotency-Key. */
  replayed(): void
}

/** The request is put together only when it is wanted, for the few that are logged. */
export type EdgeObserver = (response: ServedResponse, request: () => ServedRequest) => void

export type DnsObserver = {
  answered(transport: 'udp' | 'tcp', rcode: number): void
  /** A network has asked more often than it may. */
  limited(verdict: 'truncate' | 'drop'): void
}

export type WorkObserver = {
  /** An attempt to deliver an event has ended. */
  delivered(outcome: 'delivered' | 'pending' | 'failed', ms: number): void
  /** `outcome` is `ready`, or the reason of the error. */
  built(outcome: string, ms: number): void
  /** A recurring task failed; it is tried again. */
  taskFailed(task: string): void
  /** An order of a certificate has ended: `issued`, or the reason of the failure. */
  ordered(outcome: string): void
  /**
   * A sweep left so many stored objects that no row names, since they were too many to be what crashes leave.
   */
  strayLeft(count: number): void
}
