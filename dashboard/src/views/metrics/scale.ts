/** Values and times to places in a chart. */

/** The smallest of 1, 2, 5, 10, 20 … that is no less than `value`; 1 for 0. */
export function niceMaximum(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return factor * power
}

type Point = readonly [timeMs: number, value: number | null]

/** The commands of an SVG path through the points, in a box of 1 × 1; a missing value interrupts the line. */
export function linePath(points: readonly Point[], maximum: number): string {
  const last = Math.max(1, points.length - 1)
  let isDrawing = false
  const commands: string[] = []
  for (const [index, [, value]] of points.entries()) {
    if (value === null) {
      isDrawing = false
      continue
    }
    const place = `${index / last} ${1 - value / maximum}`
    // A line of no length, with a round end, is a dot: the neighbours may be missing.
    commands.push(isDrawing ? `L${place}` : `M${place}h0`)
    isDrawing = true
  }
  return commands.join('')
}
