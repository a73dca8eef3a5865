'use client'
/** The numbers of a chart. */
import { exactTime } from '@/lib/format'
import type { Series } from './use-series'

type SeriesTableProps = {
  title: string
  series: { label: string; points: Series['points'] }[]
  format: (value: number) => string
  formatTime: (timeMs: number) => string
}

export function SeriesTable({ title, series, format, formatTime }: SeriesTableProps) {
  const points = series[0]?.points ?? []
  return (
    <section aria-label={`${title} as a table`} tabIndex={0} className="h-44 overflow-auto">
      <table className="w-full text-left tabular-nums">
        <thead className="sticky top-0 bg-surface text-dim text-sm">
          <tr>
            <th scope="col" className="py-1 font-medium">
              From
            </th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className="py-1 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(([timeMs], index) => (
            <tr key={timeMs}>
              <td title={exactTime(timeMs)}>{formatTime(timeMs)}</td>
              {series.map(({ label, points: own }) => (
                <td key={label} className="text-right">
                  {own[index]?.[1] === null || own[index] === undefined ? '–' : format(own[index][1])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
