'use client'
/** The lines of a chart, with a crosshair that the pointer and the arrow keys move. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '@/lib/class-names'
import type { Line } from './lines'
import { linePath } from './scale'
import { TimeAxis } from './time-axis'
import type { Range } from './use-range'
import type { Series } from './use-series'

export type Marker = { timeMs: number; label: string }

type PlotProps = {
  title: string
  points: Series['points']
  lines: Line[]
  maximum: number
  maximumText: string
  /** The chosen step in words. */
  chosenText: string
  markers: Marker[]
  chosen: number | undefined
  onChoose: (index: number | undefined) => void
  onZoom: (range: Range) => void
}

export function Plot({
  title,
  points,
  lines,
  maximum,
  markers,
  chosen,
  onChoose,
  onZoom,
  ...texts
}: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const [dragFrom, setDragFrom] = useState<number>()
  const last = Math.max(1, points.length - 1)
  const [fromMs, toMs] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]

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
        aria-valuetext={texts.chosenText}
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
        <span className="absolute top-0 left-0 text-dim text-sm">{texts.maximumText}</span>
        <svg
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-full w-full overflow-visible"
        >
          {lines.map(({ label, points: own, color, dash }) => (
            <path
              key={label}
              d={linePath(own, maximum)}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeDasharray={dash}
              vectorEffect="non-scaling-stroke"
              className={color}
            />
          ))}
        </svg>
        {markers.map(({ timeMs, label }) => (
          <Upright
            key={`${timeMs} ${label}`}
            place={toMs === fromMs ? -1 : (timeMs - fromMs) / (toMs - fromMs)}
            title={label}
            className="border-dim border-dashed"
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
        {chosen !== undefined && <Upright place={chosen / last} className="border-line-strong" />}
      </div>
      <TimeAxis fromMs={fromMs} toMs={toMs} />
    </>
  )
}

function Upright({ place, title, className }: { place: number; title?: string; className: string }) {
  if (place < 0 || place > 1) return null
  return (
    <div
      {...(title !== undefined && { title })}
      className={classNames('absolute inset-y-0 border-l', className)}
      style={{ left: `${place * 100}%` }}
    />
  )
}
