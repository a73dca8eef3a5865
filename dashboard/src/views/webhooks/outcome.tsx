/** The outcome of the last attempt of a delivery. */
import type { Outputs } from '@/lib/api'
import { count } from '@/lib/format'

export type Delivery = Outputs['webhooks']['deliveries']['data'][number]

/**
 * The response of the last attempt: its status, or how many got the mail, and its duration, or why there was
 * none.
 */
export function Outcome({ delivery: { http_status, sent_to, duration_ms, error } }: { delivery: Delivery }) {
  const parts = [
    http_status !== null && String(http_status),
    sent_to !== null && `to ${count(sent_to, 'member')}`,
    duration_ms !== null && `${duration_ms} ms`,
  ]
  return (
    <>
      <span className="tabular-nums">{parts.filter(Boolean).join(', ')}</span>
      {error !== null && (
        <span className="block truncate text-bad" title={error}>
          {error}
        </span>
      )}
    </>
  )
}
