/** How each disturbance went: what failed meanwhile, and how long after its end something still failed. */
import type { History, Window } from '../history/history.ts'
import { excusesOf, isFailure } from './windows.ts'

export type Recovery = Pick<Window, 'name' | 'beginMs' | 'endMs'> & {
  /** Operations that it excused. */
  failures: number
  /** From its end until the last failing operation began; 0 if none began after the end. */
  recoveryMs: number
}

/** In the order in which they began. A failure counts for the last of the disturbances that excuse it. */
export function recoveriesOf(history: History): Recovery[] {
  const recoveries = new Map<Window, Recovery>(
    history.windows.map((window) => {
      const { name, beginMs, endMs } = window
      return [window, { name, beginMs, endMs, failures: 0, recoveryMs: 0 }]
    }),
  )
  for (const operation of history.operations.filter(isFailure)) {
    const window = excusesOf(history, operation).at(-1)
    const recovery = window && recoveries.get(window)
    if (!recovery) continue
    recovery.failures += 1
    recovery.recoveryMs = Math.max(recovery.recoveryMs, operation.invokeMs - recovery.endMs)
  }
  return [...recoveries.values()]
}
