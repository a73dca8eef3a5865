'use client'
/** A chart of one or several series over the same time. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '@/lib/class-names'
import { Card } from '@/ui/card'
import { linePath, niceMaximum } from './scale'
import { SeriesTable } from './series-table'
import type { Range } from './use-range'
import type { Series } from './use-series'

export type Marker = { timeMs: number; label: string }

type ChartProps = {
  title: string
  /** What the number beside the title is when the pointer is elsewhere, such as the total. */
  summary: string
  series: { label: string; points: Series['points'] }[]
  format: (value: number) => string
  formatTime: (timeMs: number) => string
  markers: Marker[]
  /** The step under the pointer, on all charts. */
  chosen: number | undefined
  onChoose: (index: number | undefined) => void
  onZoom: (range: Range) => void
}

const colors = ['text-accent', 'text-warn', 'text-bad']

export function Chart(props: ChartProps) {
  const { title, summary, series, format, formatTime, markers, chosen, onChoose, onZoom } = props
  const [isTable, setTable] = useState(false)
  const points = series[0]?.points ?? []
  const maximum = niceMaximum(
    Math.max(0, ...series.flatMap((each) => each.points.map(([, value]) => value ?? 0))),
  )
  const at = chosen === undefined ? undefined : points[chosen]
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
              {series.map(({ label, points: own }, index) => (
                <span
                  key={label}
                  className={classNames('ml-2 font-medium', series.length > 1 && colors[index])}
                >
                  {series.length > 1 && `${label} `}
                  {valueText(own[chosen]?.[1], format)}
                </span>
              ))}
            </>
          )}
        </p>
      </div>
      {isTable ? (
        <SeriesTable title={title} series={series} format={format} formatTime={formatTime} />
      ) : (
        <Plot
          {...{ title, points, markers, chosen, onChoose, onZoom }}
          maximumText={format(maximum)}
          lines={series.map((each) => linePath(each.points, maximum))}
          startText={points[0] && formatTime(points[0][0])}
          endText={points.at(-1) && formatTime(points.at(-1)?.[0] ?? 0)}
        />
      )}
      <button
        type="button"
        className="mt-2 text-dim text-xs hover:text-text hover:underline"
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

type PlotProps = Pick<ChartProps, 'title' | 'markers' | 'chosen' | 'onChoose' | 'onZoom'> & {
  points: Series['points']
  lines: string[]
  maximumText: string
  startText: string | undefined
  endText: string | undefined
}

function Plot({ title, points, lines, markers, chosen, onChoose, onZoom, ...texts }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const [dragFrom, setDragFrom] = useState<number>()
  const last = Math.max(1, points.length - 1)

  function indexOf({ clientX }: PointerEvent): number {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last)))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onChoose(Math.max(0, Math.min(last, (chosen ?? last) + step)))
  }

  function endDrag(event: PointerEvent): void {
    const from = dragFrom
    setDragFrom(undefined)
    if (from === undefined) return
    const [start, end] = [from, indexOf(event)].sort((a, b) => a - b)
    const [startPoint, endPoint] = [points[start ?? 0], points[end ?? 0]]
    if (startPoint && endPoint) onZoom({ sinceMs: startPoint[0], untilMs: endPoint[0] })
  }

  return (
    <>
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`${title} over time`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        onPointerMove={(event) => onChoose(indexOf(event))}
        onPointerLeave={() => {
          onChoose(undefined)
          setDragFrom(undefined)
        }}
        onPointerDown={(event) => setDragFrom(indexOf(event))}
        onPointerUp={endDrag}
        onKeyDown={onKeyDown}
        className="relative h-36 cursor-crosshair touch-pan-y select-none border-line border-b"
      >
        <span className="absolute top-0 left-0 text-dim text-xs">{texts.maximumText}</span>
        <svg
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-full w-full overflow-visible"
        >
          {lines.map((line, index) => (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity.
              key={index}
              d={line}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
              className={colors[index]}
            />
          ))}
        </svg>
        {markers.map(({ timeMs, label }) => (
          <Line
            key={`${timeMs} ${label}`}
            place={placeOf(timeMs, points)}
            title={label}
            className="bg-good"
          />
        ))}
        {dragFrom !== undefined && chosen !== undefined && (
          <div
            className="absolute inset-y-0 bg-accent-soft opacity-60"
            style={{
              left: `${(Math.min(dragFrom, chosen) / last) * 100}%`,
              width: `${(Math.abs(dragFrom - chosen) / last) * 100}%`,
            }}
          />
        )}
        {chosen !== undefined && <Line place={chosen / last} className="bg-line-strong" />}
      </div>
      <div className="mt-1 flex justify-between gap-4 text-dim text-xs">
        <span>{texts.startText}</span>
        <span>{texts.endText}</span>
      </div>
    </>
  )
}

function Line({ place, title, className }: { place: number; title?: string; className: string }) {
  if (place < 0 || place > 1) return null
  return (
    <div
      {...(title !== undefined && { title })}
      className={classNames('absolute inset-y-0 w-px', className)}
      style={{ left: `${place * 100}%` }}
    />
  )
}

function placeOf(timeMs: number, points: Series['points']): number {
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  return last === first ? -1 : (timeMs - first) / (last - first)
}
