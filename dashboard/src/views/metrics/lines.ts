/** The lines of charts: their names, colours and patterns. */
import type { Series } from './use-series'

export type Line = {
  label: string
  points: Series['points']
  /** The class of its colour. */
  color: string
  /** The dashes of an SVG stroke: lines are told apart without colours, too. */
  dash?: string
}

const looks: Pick<Line, 'color' | 'dash'>[] = [
  { color: 'text-accent' },
  { color: 'text-warn', dash: '6 3' },
  { color: 'text-bad', dash: '2 3' },
]

/** The same metric several times, such as its percentiles, from the calmest to the loudest. */
export function ranked(series: { label: string; points: Series['points'] }[]): Line[] {
  return series.map((each, index) => ({ ...each, ...(looks[index] ?? { color: 'text-accent' }) }))
}

/** The classes of statuses, with the metric and the look of each. */
export const statusLines = [
  { label: '2xx', metric: 'responses_2xx', color: 'text-good' },
  { label: '3xx', metric: 'responses_3xx', color: 'text-accent', dash: '8 3' },
  { label: '4xx', metric: 'responses_4xx', color: 'text-warn', dash: '4 3' },
  { label: '5xx', metric: 'responses_5xx', color: 'text-bad' },
] as const

/** The sum of a count; null where no step is known. */
export function totalOf(points: Series['points']): number | null {
  const known = points.flatMap(([, value]) => value ?? [])
  return points.length > 0 && known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
