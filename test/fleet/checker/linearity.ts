/**
 * What the API returns about a project's production, or a record, fits one order of all changes and reads.
 */
import type { History } from '../history/history.ts'
import { judgeRegister } from './linearizable.ts'
import { registersOf } from './registers.ts'
import type { Violation } from './violation.ts'

/** The violations, and the number of registers with too many possibilities to decide. */
export function checkLinearity(history: History): { violations: Violation[]; undecided: number } {
  const violations: Violation[] = []
  let undecided = 0
  for (const register of registersOf(history)) {
    if (register.reads.length === 0) continue
    const verdict = judgeRegister(register)
    if (verdict.linearizable === undefined) undecided += 1
    if (verdict.linearizable !== false) continue
    const at = [...register.writes, ...register.reads].find(({ id }) => id === verdict.id)
    violations.push({
      rule: 'not linearizable',
      message:
        `${register.name} ${register.subject}: ` + `${at?.value ?? 'nothing'} fits no order of the changes.`,
      timeMs: at?.invokeMs ?? 0,
      operations: [verdict.id],
    })
  }
  return { violations, undecided }
}
