'use client'
/** Responses over time by the class of their status, whose names filter the log. */
import { classNames } from '@/lib/class-names'
import { compactNumber, minuteTime } from '@/lib/format'
import { useNow } from '@/lib/now'
import { statusLines, totalOf } from '../metrics/lines'
import { useSeries } from '../metrics/use-series'
import { ranges } from './use-log-query'

const usual = { label: '24 hours', ms: 86_400_000 }

const metrics = statusLines.map(({ metric }) => metric)

const fills: Record<string, string> = {
  '2xx': 'fill-good',
  '3xx': 'fill-accent',
  '4xx': 'fill-warn',
  '5xx': 'fill-bad',
}

const height = 40

type StatusStripProps = {
  project: string | undefined
  /** The id of a range; the last day without one. */
  range: string
  status: string
  isLive: boolean
  onChoose: (status: string) => void
}

/** Always equally high, so that the log below stays in its place. */
export function StatusStrip({ project, range, status, isLive, onChoose }: StatusStripProps) {
  const now = useNow()
  const { label, ms } = ranges[range] ?? usual
  const { series } = useSeries(metrics, {
    range: { sinceMs: now - ms, untilMs: now },
    isMoving: isLive,
    project: project === '' ? undefined : project,
  })
  const lines = statusLines.map((line) => ({
    ...line,
    points: series.find(({ metric }) => metric === line.metric)?.points ?? [],
  }))
  return (
    <section aria-label="Responses by status" className="mb-4">
      <div className="flex flex-wrap items-center gap-1 text-sm">
        <h2 className="mr-2 text-dim max-sm:w-full">All responses, last {label.replace(/^An? /, '')}</h2>
        {lines.map(({ label: name, color, points }) => (
          <button
            key={name}
            type="button"
            aria-pressed={status === name}
            onClick={() => onChoose(status === name ? '' : name)}
            className={classNames(
              'inline-flex min-h-7 items-center gap-1.5 rounded-md border px-2',
              status === name ? 'border-line-strong bg-sunken' : 'border-transparent hover:bg-sunken',
            )}
          >
            <span className={classNames('font-medium', color)}>{name}</span>
            <span className="tabular-nums">{points.length === 0 ? '–' : countText(totalOf(points))}</span>
          </button>
        ))}
      </div>
      <Bars lines={lines} />
    </section>
  )
}

const countText = (count: number | null) => (count === null ? '–' : compactNumber(count))

type BarsProps = { lines: { label: string; points: readonly (readonly [number, number | null])[] }[] }

/** One bar a step, in which the classes stand on each other. */
function Bars({ lines }: BarsProps) {
  const steps = lines[0]?.points ?? []
  const sums = steps.map((_, at) => lines.reduce((sum, { points }) => sum + (points[at]?.[1] ?? 0), 0))
  const highest = Math.max(0, ...sums)
  const [first, last] = [steps[0], steps.at(-1)]
  return (
    <>
      <svg
        viewBox={`0 0 ${Math.max(1, steps.length)} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="mt-1 h-10 w-full border-line border-b"
      >
        {highest > 0 &&
          steps.map(([timeMs], at) => {
            let top = height
            return lines.map(({ label, points }) => {
              const value = points[at]?.[1] ?? 0
              if (value === 0) return null
              const high = (value / highest) * height
              top -= high
              return (
                <rect
                  key={`${timeMs} ${label}`}
                  x={at + 0.1}
                  y={top}
                  width={0.8}
                  height={high}
                  className={fills[label]}
                />
              )
            })
          })}
      </svg>
      <div className="flex h-5 justify-between text-dim text-sm">
        <span>{first && minuteTime(first[0])}</span>
        <span>{last && minuteTime(last[0])}</span>
      </div>
    </>
  )
}
