'use client'
/** The names of a chart's lines, which switch them off and on. */
import { classNames } from '@/lib/class-names'
import type { Line } from './lines'

type LegendProps = {
  /** The title of the chart, for screen readers. */
  title: string
  lines: Line[]
  /** The value beside each name: of the chosen step, or of all. */
  describe: (line: Line) => string | undefined
  hidden: ReadonlySet<string>
  onToggle: (label: string) => void
  /** The meaning of the upright lines; undefined where there are none. */
  markers: string | undefined
}

export function Legend({ title, lines, describe, hidden, onToggle, markers }: LegendProps) {
  return (
    <fieldset className="mt-2 flex flex-wrap items-center gap-x-1 gap-y-1 text-sm">
      <legend className="sr-only">Lines of {title}</legend>
      {lines.map((line) => (
        <button
          key={line.label}
          type="button"
          data-legend
          aria-pressed={!hidden.has(line.label)}
          onClick={() => onToggle(line.label)}
          className={classNames(
            'inline-flex min-h-6 items-center gap-1.5 rounded-md px-1.5 hover:bg-sunken',
            hidden.has(line.label) && 'text-dim line-through',
          )}
        >
          <Sample {...line} />
          {line.label}
          <span className="font-medium tabular-nums">{describe(line)}</span>
        </button>
      ))}
      {markers !== undefined && (
        <span className="inline-flex min-h-6 items-center gap-1.5 px-1.5 text-dim">
          <span aria-hidden="true" className="h-3.5 border-dim border-l border-dashed" />
          {markers}
        </span>
      )}
    </fieldset>
  )
}

function Sample({ color, dash }: Pick<Line, 'color' | 'dash'>) {
  return (
    <svg viewBox="0 0 20 4" aria-hidden="true" className={classNames('h-1 w-5 shrink-0', color)}>
      <path d="M0 2h20" stroke="currentColor" strokeWidth="2" strokeDasharray={dash} />
    </svg>
  )
}
