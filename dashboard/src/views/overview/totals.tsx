'use client'
/** The traffic of the last day and the storage of a team. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { compactNumber, size } from '@/lib/format'

/** Counts change all the time, without events. */
const everyMs = 10_000

export function Totals() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.observability.overview.queryOptions({}, { refetchInterval: everyMs }))
  const values: [string, string | undefined][] = [
    ['Requests, 24 hours', data && compactNumber(data.requests_24h)],
    ['Sent, 24 hours', data && size(data.bytes_24h)],
    ['Errors, 24 hours', data && compactNumber(data.errors_24h)],
    ['Files stored', data && size(data.storage.used_bytes)],
  ]
  return (
    <dl
      className={
        'mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line ' +
        'sm:grid-cols-4'
      }
    >
      {values.map(([label, value]) => (
        <div key={label} className="bg-surface px-4 py-3">
          <dt className="text-dim">{label}</dt>
          <dd className="font-semibold text-lg tabular-nums">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
