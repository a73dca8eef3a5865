'use client'
/** A chart of one or several series over the same time. */
import { useState } from 'react'
import { count } from '@/lib/format'
import { Card } from '@/ui/card'
import { Legend } from './legend'
import { type Line, totalOf } from './lines'
import { type Marker, Plot } from './plot'
import { niceMaximum } from './scale'
import { SeriesTable } from './series-table'
import type { Range } from './use-range'

type ChartProps = {
  title: string
  /** Beside the title when the pointer is elsewhere, such as the total. */
  summary: string
  /** Below the chart: what of it needs to be said. */
  note?: string | undefined
  /** Those that are drawn in the same place and may be switched off; one alone is named by the title. */
  lines: Line[]
  /** Whether the values of a line add up. */
  isSum: boolean
  format: (value: number) => string
  formatTime: (timeMs: number) => string
  markers: Marker[]
  /** The step under the pointer, on all charts. */
  chosen: number | undefined
  onChoose: (index: number | undefined) => void
  onZoom: (range: Range) => void
}

export function Chart(props: ChartProps) {
  const { title, summary, note, lines, isSum, format, formatTime, markers, chosen, onChoose, onZoom } = props
  const [isTable, setTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const points = lines[0]?.points ?? []
  const drawn = lines.filter(({ label }) => !hidden.has(label))
  const maximum = niceMaximum(
    Math.max(0, ...drawn.flatMap((each) => each.points.map(([, value]) => value ?? 0))),
  )
  const at = chosen === undefined ? undefined : points[chosen]
  const valueAt = (line: Line, index: number) => valueText(line.points[index]?.[1], format)
  const inWords = (index: number) => {
    const values = lines.map((line) => `${line.label} ${valueAt(line, index)}`)
    return `${formatTime(points[index]?.[0] ?? 0)}: ${values.join(', ')}`
  }
  const [fromMs, toMs] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  const within = markers.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)

  function toggle(label: string): void {
    const next = new Set(hidden)
    if (!next.delete(label)) next.add(label)
    setHidden(next)
  }

  return (
    <Card className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">{title}</h2>
        <p className="tabular-nums">
          {chosen === undefined || at === undefined ? (
            <span className="text-dim">{summary}</span>
          ) : (
            <>
              <span className="text-dim">{formatTime(at[0])} </span>
              {lines.length === 1 && lines[0] && (
                <span className="ml-2 font-medium">{valueAt(lines[0], chosen)}</span>
              )}
            </>
          )}
        </p>
      </div>
      {isTable ? (
        <SeriesTable title={title} series={lines} format={format} formatTime={formatTime} />
      ) : (
        <Plot
          {...{ title, points, maximum, chosen, onChoose, onZoom }}
          markers={within}
          lines={drawn}
          maximumText={format(maximum)}
          chosenText={inWords(chosen ?? points.length - 1)}
        />
      )}
      {(lines.length > 1 || within.length > 0) && (
        <Legend
          title={title}
          lines={lines.length > 1 ? lines : []}
          describe={(line) => {
            if (chosen !== undefined) return valueAt(line, chosen)
            return isSum ? valueText(totalOf(line.points), format) : undefined
          }}
          hidden={hidden}
          onToggle={toggle}
          markers={within.length === 0 ? undefined : `${count(within.length, 'deployment')} went live`}
        />
      )}
      {note !== undefined && <p className="mt-1 text-dim text-sm">{note}</p>}
      <button
        type="button"
        className="mt-2 min-h-6 text-dim text-sm hover:text-text hover:underline"
        onClick={() => setTable(!isTable)}
      >
        {isTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
      </button>
    </Card>
  )
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}
