/** Counts of the role `worker`: attempts to deliver, builds, recurring tasks. */
import type { WorkObserver } from '../../../platform/observability/observers.ts'
import { createHistogram } from './histogram.ts'
import type { Series } from './series.ts'
import { createTally } from './tally.ts'

/**
 * In seconds: an attempt is given up after 15, a build after 10 minutes unless the settings say otherwise.
 */
const attemptBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const buildBounds = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800]

const attemptOutcomes = { delivered: 'delivered', pending: 'retried', failed: 'failed' } as const

export function createWorkSeries(): { observe: WorkObserver; series: Series[] } {
  const attempts = createTally(Object.values(attemptOutcomes))
  const attemptTimes = createHistogram(attemptBounds)
  const builds = createTally<string>(['ready', 'build_failed'])
  const buildTimes = createHistogram(buildBounds)
  const failures = createTally<string>()
  const orders = createTally<string>(['issued'])
  let strayLeft = 0
  return {
    observe: {
      delivered(outcome, ms) {
        attempts.add(attemptOutcomes[outcome])
        attemptTimes.observe(ms / 1_000)
      },
      built(outcome, ms) {
        builds.add(outcome)
        buildTimes.observe(ms / 1_000)
      },
      taskFailed: failures.add,
      ordered: orders.add,
      strayLeft(count) {
        strayLeft = count
      },
    },
    series: [
      {
        name: 'svc_webhook_attempts_total',
        help:
          'Attempts to deliver an event to a webhook. ' +
          'outcome: delivered; retried, scheduled again; failed, no more attempts.',
        type: 'counter',
        labels: ['outcome'],
        read: () => attempts.entries().map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'svc_webhook_attempt_duration_seconds',
        help: 'Duration of an attempt, until the end of the response.',
        type: 'histogram',
        labels: [],
        read: () => [{ labels: {}, histogram: attemptTimes }],
      },
      {
        name: 'svc_builds_total',
        help:
          'Builds that this node ended. ' +
          'outcome: ready, or the reason of the error, such as build_failed, build_timeout.',
        type: 'counter',
        labels: ['outcome'],
        read: () => builds.entries().map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'svc_build_duration_seconds',
        help: 'Duration of a build, from its claim by this node.',
        type: 'histogram',
        labels: [],
        read: () => [{ labels: {}, histogram: buildTimes }],
      },
      {
        name: 'svc_task_failures_total',
        help: 'Recurring tasks that failed and are retried, by name, such as check domains.',
        type: 'counter',
        labels: ['task'],
        read: () => failures.entries().map(([task, value]) => ({ labels: { task }, value })),
      },
      {
        name: 'svc_certificate_orders_total',
        help:
          'Orders of certificates. ' +
          'outcome: issued, or the reason of the failure, such as validation_failed.',
        type: 'counter',
        labels: ['outcome'],
        read: () => orders.entries().map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'svc_stray_objects_left',
        help:
          'Unreferenced stored files that were left, since they are too many; ' +
          'svc admin blobs sweep removes them.',
        type: 'gauge',
        labels: [],
        read: () => [{ labels: {}, value: strayLeft }],
      },
    ],
  }
}
