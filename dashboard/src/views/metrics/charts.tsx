'use client'
/** The charts of a page, with one crosshair. */
import { useState } from 'react'
import { compactNumber, size } from '@/lib/format'
import { Chart } from './chart'
import { ranked, statusLines, totalOf } from './lines'
import type { Marker } from './plot'
import type { Range } from './use-range'
import type { MetricName, Series } from './use-series'

const dayMs = 86_400_000

/** More digits than a person reads are left out. */
const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

type ChartsProps = { series: Series[]; range: Range; markers: Marker[]; onZoom: (range: Range) => void }

export function Charts({ series, range, markers, onZoom }: ChartsProps) {
  const [chosen, setChosen] = useState<number>()
  const pointsOf = (name: MetricName) => series.find(({ metric }) => metric === name)?.points ?? []
  const total = (name: MetricName) => totalOf(pointsOf(name))
  const slowest = pointsOf('latency_p99').flatMap(([, value]) => value ?? [])
  const isPartial = pointsOf('responses_404').some(([, value]) => value === null)
  const missing = total('responses_404')
  const common = {
    chosen,
    onChoose: setChosen,
    onZoom,
    markers,
    formatTime: timeFormat(range.untilMs - range.sinceMs),
  }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Chart
        {...common}
        title="Requests"
        summary={`${compactNumber(total('requests') ?? 0)} in all`}
        lines={ranked([{ label: 'Requests', points: pointsOf('requests') }])}
        isSum
        format={compactNumber}
      />
      <Chart
        {...common}
        title="Responses by status"
        summary={missing === null ? '' : `${compactNumber(missing)} not found`}
        note={isPartial ? 'Where lines are broken, responses were not yet counted by status.' : undefined}
        lines={[
          ...statusLines.map(({ metric, ...line }) => ({ ...line, points: pointsOf(metric) })),
          { label: '404 alone', color: 'text-text', dash: '1 3', points: pointsOf('responses_404') },
        ]}
        isSum
        format={compactNumber}
      />
      <Chart
        {...common}
        title="Bytes sent"
        summary={`${size(total('bytes') ?? 0)} in all`}
        lines={ranked([{ label: 'Bytes', points: pointsOf('bytes') }])}
        isSum
        format={size}
      />
      <Chart
        {...common}
        title="Latency"
        summary={slowest.length === 0 ? 'No requests' : `99 % within ${milliseconds(Math.max(...slowest))}`}
        lines={ranked([
          { label: '50 % within', points: pointsOf('latency_p50') },
          { label: '95 % within', points: pointsOf('latency_p95') },
          { label: '99 % within', points: pointsOf('latency_p99') },
        ])}
        isSum={false}
        format={milliseconds}
      />
    </div>
  )
}

/** Times of day for a few hours, dates with them for more. */
function timeFormat(rangeMs: number): (timeMs: number) => string {
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const date = { day: 'numeric', month: 'short' } as const
  const format = new Intl.DateTimeFormat('en-GB', rangeMs < dayMs / 2 ? time : { ...date, ...time })
  return (timeMs) => format.format(timeMs)
}
