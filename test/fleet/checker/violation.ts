/** What the checker finds wrong. */

type Rule =
  | 'lost change'
  | 'not linearizable'
  | 'stale read'
  | "another team's bytes"
  | 'wrong bytes'
  | 'unexpected failure'
  | 'unexpected refusal'
  | 'hanging request'
  | 'lost webhook'
  | 'wrong webhook'
  | 'died by itself'
  | 'slowed by attacks'
  | 'out of memory'
  | 'never exercised'

export type Violation = {
  rule: Rule
  message: string
  /** Where in the history to look. */
  timeMs: number
  /** The operations that contradict each other. */
  operations: number[]
}
