'use client'
/** The charts of a page, with one crosshair. */
import { useState } from 'react'
import { compactNumber, size } from '@/lib/format'
import { Chart, type Marker } from './chart'
import type { Range } from './use-range'
import type { MetricName, Series } from './use-series'

const dayMs = 86_400_000

/** More digits than a person reads are left out. */
const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

type ChartsProps = { series: Series[]; range: Range; markers: Marker[]; onZoom: (range: Range) => void }

export function Charts({ series, range, markers, onZoom }: ChartsProps) {
  const [chosen, setChosen] = useState<number>()
  const pointsOf = (name: MetricName) => series.find(({ metric }) => metric === name)?.points ?? []
  const total = (name: MetricName) => pointsOf(name).reduce((sum, [, value]) => sum + (value ?? 0), 0)
  const slowest = pointsOf('latency_p99').flatMap(([, value]) => value ?? [])
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
        summary={`${compactNumber(total('requests'))} in all`}
        series={[{ label: 'Requests', points: pointsOf('requests') }]}
        format={compactNumber}
      />
      <Chart
        {...common}
        title="Bytes sent"
        summary={`${size(total('bytes'))} in all`}
        series={[{ label: 'Bytes', points: pointsOf('bytes') }]}
        format={size}
      />
      <Chart
        {...common}
        title="Errors"
        summary={`${compactNumber(total('errors'))} responses of status 500 and above`}
        series={[{ label: 'Errors', points: pointsOf('errors') }]}
        format={compactNumber}
      />
      <Chart
        {...common}
        title="Latency"
        summary={slowest.length === 0 ? 'No requests' : `99 % within ${milliseconds(Math.max(...slowest))}`}
        series={[
          { label: '50 %', points: pointsOf('latency_p50') },
          { label: '95 %', points: pointsOf('latency_p95') },
          { label: '99 %', points: pointsOf('latency_p99') },
        ]}
        format={milliseconds}
      />
    </div>
  )
}

/** Times of day for a day and less, dates with them for more. */
function timeFormat(rangeMs: number): (timeMs: number) => string {
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const date = { day: 'numeric', month: 'short' } as const
  const format = new Intl.DateTimeFormat('en-GB', rangeMs <= dayMs ? time : { ...date, ...time })
  return (timeMs) => format.format(timeMs)
}
