/** A chart of bars in a terminal, made of the block characters of Unicode. */

/** A step's beginning, and its value; null where there is none, which is not the same as 0. */
export type Point = [timeMs: number, value: number | null]

export type ChartOptions = {
  /** Of the whole chart, in columns. */
  width: number
  /** Of the bars, in lines: an even number, or 1. */
  height: number
  /** What stands at the axis for a value. */
  valueLabel: (value: number) => string
  /** What stands below for a time. */
  timeLabel: (timeMs: number) => string
  /** One value for several steps, where there are more steps than columns. */
  join: (values: number[]) => number
}

const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Wider bars would be read as areas. */
const maxBarWidth = 6

/** Lower charts have no room for a label half-way up. */
const minHeightOfMiddle = 4

/** Between the labels of two times. */
const labelGap = 2

/** `lines` hold bars from 0 up to the greatest value, and an axis on two sides; a bar is of so many steps. */
export type Chart = { lines: string[]; stepsPerBar: number }

/** The chart of these steps, without colours. */
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

/** As many bars as have room beside the labels of their values, and the columns that there are for them. */
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
    // Joined values may be greater, with a longer label.
    if (left >= columns) return { bars, columns }
    columns = left
    bars = joinSteps(points, columns, join)
  }
}

/** The values that stand at the axis, above 0, by the line that they stand in, counted from above. */
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

/** The steps as at most `count` bars of as many steps each, the last of which may have fewer. */
function joinSteps(points: Point[], count: number, join: ChartOptions['join']): Point[] {
  const perBar = Math.ceil(points.length / count)
  if (perBar <= 1) return points
  return Array.from({ length: Math.ceil(points.length / perBar) }, (_, index) => {
    const part = points.slice(index * perBar, (index + 1) * perBar)
    const known = part.flatMap(([, value]) => value ?? [])
    return [part[0]?.[0] ?? 0, known.length === 0 ? null : join(known)]
  })
}

/** What a bar shows in a line, counted from below; whatever is above 0 shows something. */
function cellOf(value: number | null, max: number, height: number, line: number): string {
  if (value === null || value <= 0) return ' '
  const total = Math.max(1, Math.round((value / max) * height * 8))
  return eighths[Math.min(8, Math.max(0, total - line * 8))] ?? ' '
}

/** Labels below the bars where their times begin, as many as have room. */
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
