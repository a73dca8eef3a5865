/** A bar chart of Unicode block characters for a terminal. */

/** The beginning of a step, and its value; null if there is none, unlike 0. */
export type Point = [timeMs: number, value: number | null]

export type ChartOptions = {
  /** Width of the chart, in columns. */
  width: number
  /** Height of the bars, in lines: an even number, or 1. */
  height: number
  /** The label of a value at the axis. */
  valueLabel: (value: number) => string
  /** The label of a time below. */
  timeLabel: (timeMs: number) => string
  /** Combines steps into one value, if there are more steps than columns. */
  join: (values: number[]) => number
}

const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Wider bars would look like areas. */
const maxBarWidth = 6

/** Lower charts have no room for a label half-way up. */
const minHeightOfMiddle = 4

/** Space between two time labels. */
const labelGap = 2

/** `lines` hold bars from 0 to the maximum, with an axis on two sides; `stepsPerBar` steps make a bar. */
export type Chart = { lines: string[]; stepsPerBar: number }

/** The chart, without colours. */
export function drawChart(points: Point[], options: ChartOptions): Chart {
  const { height, valueLabel, timeLabel } = options
  const { bars, columns } = layOut(points, options)
  const widest = options.width - columns - 2
  const max = greatest(bars)
  const barWidth = Math.min(maxBarWidth, Math.max(1, Math.floor(columns / Math.max(1, bars.length))))
  const rows = Array.from({ length: height }, (_, row) => {
    const cells = bars.map(([, value]) => cellOf(value, max, height, height - 1 - row).repeat(barWidth))
    const labelled = labelledAt(max, height).get(row)
    const label = labelled === undefined ? '' : valueLabel(labelled)
    return `${label.padStart(widest)} ${label === '' ? '│' : '┤'}${cells.join('')}`.trimEnd()
  })
  const axis = `${valueLabel(0).padStart(widest)} └${'─'.repeat(bars.length * barWidth)}`
  const times = timeLine(bars, barWidth, timeLabel).slice(0, columns)
  return {
    lines: [...rows, axis, `${' '.repeat(widest + 2)}${times}`.trimEnd()],
    stepsPerBar: Math.ceil(points.length / Math.max(1, bars.length)),
  }
}

/** How many bars fit beside the labels, and the columns for them. */
function layOut(
  points: Point[],
  { width, height, valueLabel, join }: ChartOptions,
): { bars: Point[]; columns: number } {
  let bars = points
  let columns = width
  for (;;) {
    const labelled = [0, ...labelledAt(greatest(bars), height).values()]
    const widest = Math.max(...labelled.map((value) => valueLabel(value).length))
    const left = Math.max(1, width - widest - 2)
    // Combined values may be greater, with a longer label.
    if (left >= columns) return { bars, columns }
    columns = left
    bars = joinSteps(points, columns, join)
  }
}

/** The axis labels above 0, by line, counted from the top. */
function labelledAt(max: number, height: number): Map<number, number> {
  return new Map(
    height >= minHeightOfMiddle
      ? [
          [0, max],
          [height / 2, max / 2],
        ]
      : [[0, max]],
  )
}

function greatest(bars: Point[]): number {
  return bars.reduce((max, [, value]) => Math.max(max, value ?? 0), 0)
}

/** The steps combined into at most `count` bars; the last one may have fewer steps. */
function joinSteps(points: Point[], count: number, join: ChartOptions['join']): Point[] {
  const perBar = Math.ceil(points.length / count)
  if (perBar <= 1) return points
  return Array.from({ length: Math.ceil(points.length / perBar) }, (_, index) => {
    const part = points.slice(index * perBar, (index + 1) * perBar)
    const known = part.flatMap(([, value]) => value ?? [])
    return [part[0]?.[0] ?? 0, known.length === 0 ? null : join(known)]
  })
}

/** One line of a bar, counted from the bottom; any value above 0 is visible. */
function cellOf(value: number | null, max: number, height: number, line: number): string {
  if (value === null || value <= 0) return ' '
  const total = Math.max(1, Math.round((value / max) * height * 8))
  return eighths[Math.min(8, Math.max(0, total - line * 8))] ?? ' '
}

/** Time labels below the start of their bars, as many as fit. */
function timeLine(bars: Point[], barWidth: number, timeLabel: ChartOptions['timeLabel']): string {
  let line = ''
  for (const [index, [timeMs]] of bars.entries()) {
    const at = index * barWidth
    const label = timeLabel(timeMs)
    const isInside = at + label.length <= bars.length * barWidth || line === ''
    if (line === '' || (at >= line.length + labelGap && isInside)) line = line.padEnd(at) + label
  }
  return line
}
